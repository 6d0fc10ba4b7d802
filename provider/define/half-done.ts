import type { Observed } from "./resource";

/** A step failed after it had done a part: what there is now is kept in state, and the next run goes on from it. */
export class HalfDoneError extends Error {
  constructor(
    readonly seen: Partial<Observed<Record<string, unknown>, Record<string, unknown>>>,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}
