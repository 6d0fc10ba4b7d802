import { whenReady } from "../../../waiting/project-health";
import type { Context } from "../../../define/context";

/** Once in a run, however often it is asked for; doing so again changes nothing. */
export async function enableOnce(ctx: Context, ref: string): Promise<void> {
  await ctx.shared.list(`database-webhooks:${ref}`, () =>
    whenReady(ctx, ref, ["db"], () => ctx.api.enableWebhooks({ ref })),
  );
}
