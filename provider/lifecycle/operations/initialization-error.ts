import { asPending, type Values } from "../state";

/** The resource exists and must be kept in state, but it is not what was declared yet; the next run goes on with it. */
export class InitializationError extends Error {
  readonly state: Values;
  readonly reasons: readonly string[];

  constructor(
    readonly id: string,
    state: Values,
    override readonly cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(reason);
    this.state = asPending(state);
    this.reasons = [reason];
  }
}
