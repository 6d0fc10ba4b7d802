/** The proxy could not be reached, or answered with a status that connects to nothing. */
export class ProxyFailure extends Error {
  constructor(
    readonly status: number | undefined,
    cause?: Error,
  ) {
    super("the proxy failed", { cause });
  }
}
