import type { Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { writeOnce } from "../../../waiting/write-once";
import { defaultBranchError, forgetBranches, isDefaultBranch, lookUpBranch } from "./calls";

/** Makes sure that the branch may be changed: the default one is refused, a scheduled deletion is cancelled. */
export async function claimBranch(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  const branch = await lookUpBranch(ctx, parentRef, branchRef);
  if (branch === undefined) return;
  if (isDefaultBranch(branch)) throw defaultBranchError(branch, "name");
  if (branch.deletion_scheduled_at != null) {
    ctx.progress(`cancelling its deletion, scheduled at ${branch.deletion_scheduled_at}`);
    await cancelDeletion(ctx, parentRef, branchRef);
  }
}

async function cancelDeletion(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  const isScheduled = async (): Promise<boolean> =>
    (await lookUpBranch(ctx, parentRef, branchRef))?.deletion_scheduled_at != null;
  try {
    await writeOnce<true>(ctx, {
      send: () => ctx.api.restoreBranch({ branch_id_or_ref: branchRef }).then(() => true),
      landed: async () => ((await isScheduled()) ? undefined : true),
    });
    await poll<boolean, undefined>(ctx, {
      what: `the deletion of the branch ${branchRef} to be cancelled`,
      look: isScheduled,
      judge: (scheduled) =>
        scheduled ? { kind: "waiting", reason: "still scheduled" } : { kind: "done", value: undefined },
    });
  } finally {
    forgetBranches(ctx, parentRef);
  }
}
