import { ForbiddenError } from "../client/errors/errors";
import type { Context } from "../define/context";
import { projectOnce } from "./listed-project";
import { isThere } from "./owner";

/**
 * Whether a project or branch is there, for what the service does not show: one look for all resources of a run. True
 * as well where the token may not look, so that nothing is taken to be gone.
 */
export async function isOwnerThere(ctx: Context, ref: string): Promise<boolean> {
  const project = projectOnce(ctx, ref).then(({ status }) => status !== "REMOVED");
  return (await mayBeThere(project)) || mayBeThere(ctx.api.getBranchConfig({ branch_id_or_ref: ref }));
}

/** Whether the service says that it is gone; where nobody can say, it is not taken to be. */
export async function isOwnerGone(ctx: Context, ref: string): Promise<boolean> {
  return isOwnerThere(ctx, ref).then(
    (isThere) => !isThere,
    () => {
      ctx.signal.throwIfAborted();
      ctx.progress(`whether ${ref} is still there is not known`);
      return false;
    },
  );
}

async function mayBeThere(looking: Promise<unknown>): Promise<boolean> {
  return isThere(looking).catch((error: unknown) => {
    if (error instanceof ForbiddenError) return true;
    throw error;
  });
}
