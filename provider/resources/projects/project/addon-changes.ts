import { QuotaError } from "../../../client/errors";
import type { Context } from "../../../define/context";

const PAUSE_MS = 10_000;

/** How the service says that the change before is under way; any other quota does not pass by waiting (service, Limits). */
const UNDER_WAY = /processing.*change|change.*(in progress|under ?way)/i;

/** Changes an add-on once the service has finished the change before it, which it refuses with 429 until then. */
export async function whenChangesAreDone<T>(ctx: Context, change: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      const isUnderWay = error instanceof QuotaError && UNDER_WAY.test(error.serviceMessage);
      if (!isUnderWay || ctx.clock.now() + PAUSE_MS >= ctx.deadlineMs) throw error;
      ctx.progress("waiting for the service to finish the add-on change before this one");
      await ctx.clock.sleep(PAUSE_MS, ctx.signal);
    }
  }
}
