import { ApiError, ForbiddenError, isNotFound, isRefusal } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { NotListedError } from "../../../define/resource";
import { poll } from "../../../waiting/poll";
import {
  listBranchesOnce,
  createDefaultBranchError,
  forgetBranches,
  isDefaultBranch,
  lookUpBranch,
  requireNotElsewhere,
  branchNameOf,
  type BranchRecord,
} from "./calls";

interface BranchRemovalOptions {
  /** Schedules the deletion instead of doing it at once. */
  readonly softDelete: boolean;
}

/** Removes a branch, or schedules that, and waits until the listing says so; the default branch is refused. */
export async function removeBranch(
  ctx: Context,
  parentRef: string,
  branchRef: string,
  { softDelete }: BranchRemovalOptions,
): Promise<void> {
  let isListed = false;
  try {
    await poll<string | undefined, undefined>(ctx, {
      what: `the branch ${branchRef} to be ${softDelete ? "scheduled for deletion" : "gone"}`,
      look: async () => {
        const branch = await lookUpBranch(ctx, parentRef, branchRef);
        if (branch === undefined && !isListed) {
          await requireNotElsewhere(ctx, parentRef, branchRef);
          throw new NotListedError(`no branch ${branchRef} is listed`);
        }
        isListed = true;
        return branch && removeOnce(ctx, branch, softDelete);
      },
      judge: (pending) =>
        pending === undefined ? { kind: "done", value: undefined } : { kind: "waiting", reason: pending },
    });
  } finally {
    forgetBranches(ctx, parentRef);
  }
}

/** Removes all branches of a project that is about to be deleted: one left behind could not be reached any more. */
export async function removeAllBranches(ctx: Context, parentRef: string): Promise<void> {
  forgetBranches(ctx, parentRef);
  const branches = await listBranchesOnce(ctx, parentRef).catch((error: unknown) => {
    // A token that may not see branches has made none; the service decides about the rest.
    if (error instanceof ForbiddenError || isNotFound(error)) return [];
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    ctx.warn(`its branches were not deleted first, because the service does not list them. ${error.message}`);
    return [];
  });
  for (const branch of branches.filter((each) => !isDefaultBranch(each))) {
    ctx.progress(`deleting its branch ${branchNameOf(branch)}`);
    await removeBranch(ctx, parentRef, branch.project_ref, { softDelete: false }).catch((error: unknown) => {
      // It has been listed: somebody removed it meanwhile.
      if (!(error instanceof NotListedError)) throw error;
    });
  }
}

/** One round: what is still in the way, or undefined when nothing is left to do. */
async function removeOnce(
  ctx: Context,
  branch: BranchRecord,
  softDelete: boolean,
): Promise<string | undefined> {
  const { project_ref: branchRef } = branch;
  if (isDefaultBranch(branch)) throw createDefaultBranchError(branch, "name");
  if (softDelete && branch.deletion_scheduled_at != null) return undefined;
  try {
    // A persistent branch is refused (service, Branches).
    if (branch.persistent === true) {
      await ctx.api.updateBranch({ branch_id_or_ref: branchRef, body: { persistent: false } });
    }
    await ctx.api.deleteBranch({ branch_id_or_ref: branchRef, ...(softDelete ? { force: false } : {}) });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    // Busy or not yet demoted: the next round tries again.
    if (isRefusal(error)) return error.serviceMessage;
    throw error;
  }
  return `${branch.status ?? "no status"}, deletion asked for`;
}
