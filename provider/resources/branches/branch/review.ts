import type { Context } from "../../../define/context";
import { writeOnce } from "../../../converge/write-once";
import { mustLookUp } from "./calls";

/** Requests a review of a branch, unless the service shows that one was requested. */
export async function requestReview(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  const isRequested = async (): Promise<boolean> =>
    (await mustLookUp(ctx, parentRef, branchRef)).review_requested_at != null;
  if (await isRequested()) return;
  const body = { request_review: true };
  await writeOnce<true>(ctx, {
    send: () => ctx.api.updateBranch({ branch_id_or_ref: branchRef, body }).then(() => true),
    landed: async () => ((await isRequested()) ? true : undefined),
  });
}
