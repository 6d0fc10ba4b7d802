import { QuotaError } from "../../client/errors";
import type { Context } from "../../define/context";

const PAUSE_MS = 10_000;

/** Changes an add-on once the service has finished the change before it, which it refuses with 429 until then (behaviour, Errors). */
export async function whenChangesAreDone<T>(ctx: Context, change: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      const isTooEarly = error instanceof QuotaError && ctx.clock.now() + PAUSE_MS < ctx.deadlineMs;
      if (!isTooEarly) throw error;
      ctx.progress("waiting for the service to finish the add-on change before this one");
      await ctx.clock.sleep(PAUSE_MS, ctx.signal);
    }
  }
}
