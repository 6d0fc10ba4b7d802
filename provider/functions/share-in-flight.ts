import type { Context } from "../define/context";
import { orNoProject } from "../lookup/missing-errors";

/** Shares an answer among callers while the call is in flight; a later caller makes a call of its own. */
export async function shareInFlight<T>(ctx: Context, key: string, call: () => Promise<T>): Promise<T> {
  return ctx.shared.list(key, () => call().finally(() => ctx.shared.forget(key)));
}

/** The same for a read of what belongs to a project or a branch; `what` is asked for, with its arguments. */
export async function readInProject<T>(
  ctx: Context,
  ref: string,
  what: string,
  call: () => Promise<T>,
): Promise<T> {
  return orNoProject(ref, shareInFlight(ctx, `${what}:${ref}`, call));
}
