/** An answer that is not the success answer: what the service says and with which status code. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** What the answer has beside its message. */
    readonly further: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** One that quotes what a user wrote, as SQL: no word of it is a name of the installation. */
export class QuotingRefusal extends Refusal {}

/** What was looked up, or the 404 that says it is not there. */
export function requireFound<T>(found: T | undefined, message: string): T {
  if (found === undefined) throw new Refusal(404, message);
  return found;
}
