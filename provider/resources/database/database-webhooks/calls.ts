import { ForbiddenError, isNotFound } from "../../../client/errors";
import { whenReady } from "../../../converge/project-health";
import type { Context } from "../../../define/context";

/** Once in a run, however often it is asked for; doing so again changes nothing. */
export async function enableOnce(ctx: Context, ref: string): Promise<void> {
  await ctx.shared.list(`database-webhooks:${ref}`, () =>
    whenReady(ctx, ref, ["db"], () => ctx.api.enableWebhooks({ ref })),
  );
}

/** Whether the project or branch is there. No operation shows its webhooks (service, Login roles, read-only mode, webhooks). */
export async function isOwnerThere(ctx: Context, ref: string): Promise<boolean> {
  const project = ctx.api.getProject({ ref }).then(({ status }) => status !== "REMOVED");
  return (await isThere(project)) || isThere(ctx.api.getBranchConfig({ branch_id_or_ref: ref }));
}

/** A token that may not look learns nothing, so that nothing is taken to be gone. */
async function isThere(looking: Promise<unknown>): Promise<boolean> {
  try {
    return (await looking) !== false;
  } catch (error) {
    if (isNotFound(error)) return false;
    if (error instanceof ForbiddenError) return true;
    throw error;
  }
}
