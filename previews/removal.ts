import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, isNotFound, type ManagementClient } from "../provider/client";
import { listPreviews, type PreviewBranch, type WhichBranches } from "./preview-branch";

/** Removes the stack that manages the preview of a pull request; false where there is none. */
export type RemoveStack = (preview: { readonly pullRequest: number }) => Promise<boolean>;

export interface RemovalOptions extends WhichBranches {
  readonly client: ManagementClient;
  /** Removes by the stack where there is one; by the API alone when absent. */
  readonly removeStack?: RemoveStack;
  /** Milliseconds between two looks at whether a branch is gone; 5 s when absent. */
  readonly pollMs?: number;
}

const POLL_MS = 5_000;
/** How long a removed branch may still be listed. */
const LONGEST_REMOVAL_MS = 300_000;

export type Removal = "removed" | "removed with its stack" | "gone already";

/** Removes the preview of a pull request, whatever of it there is: its stack, and a branch that no stack knows of. */
export async function removePreview(options: RemovalOptions, pullRequest: number): Promise<Removal> {
  const hadStack = (await options.removeStack?.({ pullRequest })) === true;
  const previews = await listPreviews(options.client, options);
  const left = previews.find((preview) => preview.pullRequest === pullRequest);
  if (left !== undefined) await removeByApi(options, left);
  if (hadStack) return "removed with its stack";
  return left === undefined ? "gone already" : "removed";
}

/** The same branch as it is now: not another one of its name. */
export async function again(
  options: RemovalOptions,
  { branchId }: PreviewBranch,
): Promise<PreviewBranch | undefined> {
  const previews = await listPreviews(options.client, options);
  return previews.find((each) => each.branchId === branchId);
}

/** Removes a branch, and waits until it is gone. */
export async function removeByApi(options: RemovalOptions, branch: PreviewBranch): Promise<void> {
  const { client, pollMs = POLL_MS } = options;
  const deadline = Date.now() + LONGEST_REMOVAL_MS;
  let answer = "";
  for (;;) {
    try {
      // At once, also where the service would schedule it.
      await client.deleteBranch({ branch_id_or_ref: branch.ref });
    } catch (error) {
      if (isNotFound(error)) return;
      // While a run is under way the service refuses; the next round tries again.
      if (!(error instanceof ApiError && [400, 409, 422].includes(error.status))) throw error;
      answer = `: ${error.message}`;
    }
    if ((await again(options, branch)) === undefined) return;
    if (Date.now() > deadline) throw new Error(`${branch.name} is still listed after five minutes${answer}`);
    await sleep(pollMs);
  }
}
