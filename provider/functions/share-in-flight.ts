import type { Context } from "../define/context";

/** Shares an answer among callers while the call is in flight; a later caller makes a call of its own. */
export async function shareInFlight<T>(ctx: Context, key: string, call: () => Promise<T>): Promise<T> {
  return ctx.shared.list(key, () => call().finally(() => ctx.shared.forget(key)));
}
