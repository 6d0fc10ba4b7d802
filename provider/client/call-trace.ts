/** One request of a call, and what became of it. It has neither a body nor a header nor a parameter. */
export interface TracedRequest {
  /** As the specification calls it: `createApiKey`. */
  readonly operation: string;
  /** What the call was made for: `ApiKey backend`. Absent where no resource asked for it. */
  readonly resource?: string | undefined;
  /** 1 for the first request of a call; requests that the rate limit refused count as well. */
  readonly attempt: number;
  /** When the rate limit had let it go, in milliseconds since the epoch. */
  readonly atMs: number;
  /** How long the rate limit had held it back before, in milliseconds. */
  readonly waitedMs: number;
  /** From then on until its answer had come, in milliseconds. */
  readonly durationMs: number;
  /** The HTTP status; absent where no answer came. */
  readonly status?: number | undefined;
  /** Why no answer came. */
  readonly failure?: string | undefined;
  /** The service's own name of the request. */
  readonly requestId?: string | undefined;
}

/** Told of each request after it has ended. It must not throw. */
export type TraceListener = (request: TracedRequest) => void;
