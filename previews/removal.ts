import { setTimeout as sleep } from "node:timers/promises";
import type { ManagementClient } from "../provider/client";
import { isNotFound, isRefusal } from "../provider/client/errors/errors";
import { toBranchFacts } from "../provider/resources/branches/shared/preview-identity";
import { identifyPreview, requirePreview, type Preview, type Previews } from "./preview";
import { createLackingError, type ListedBranch } from "./preview-branch";
import type { PreviewStacks } from "./stacks";

export interface RemovalOptions extends Previews {
  readonly client: ManagementClient;
  /** Removes by the stack where there is one; by the API alone when absent. */
  readonly stacks?: PreviewStacks;
  /** Milliseconds between two looks at whether a branch is gone; 5 s when absent. */
  readonly pollMs?: number;
  /** Lets no further step begin. */
  readonly signal?: AbortSignal;
}

const POLL_MS = 5_000;
/** How long a removed branch may still be listed. */
const LONGEST_REMOVAL_MS = 300_000;

export type Removal = "removed" | "removed with its stack" | "gone already";

/** What a preview is removed by: the number of the pull request, and the Git branch that it is of, where that is known. */
export interface RemovedPullRequest {
  readonly pullRequest: number;
  readonly gitBranch: string | undefined;
}

/**
 * Removes the preview of a pull request, whatever of it there is: its stack, and a branch that no stack knows of. Throws, with
 * nothing removed, where the stack or a branch of that name is something else.
 */
export async function removePreview(
  options: RemovalOptions,
  { pullRequest, gitBranch }: RemovedPullRequest,
): Promise<Removal> {
  const { stacks, signal } = options;
  const preview = identifyPreview(options, pullRequest, gitBranch);
  const stack = await stacks?.find(preview);
  const concerned = await requireBranches(options, preview, stack?.refs ?? []);
  signal?.throwIfAborted();
  await stack?.remove();
  for (const branch of concerned) await removeByApi(options, branch);
  if (stack !== undefined) return "removed with its stack";
  return concerned.length === 0 ? "gone already" : "removed";
}

/**
 * Removes the branch of a preview and all that is on it, and keeps its stack: the next run makes the preview anew. Throws as
 * `removePreview` does; so a persistent branch is never removed. Returns whether there was a preview.
 */
export async function emptyPreview(
  options: RemovalOptions,
  { pullRequest, gitBranch }: RemovedPullRequest,
): Promise<boolean> {
  const { stacks, signal } = options;
  const preview = identifyPreview(options, pullRequest, gitBranch);
  const stack = await stacks?.find(preview);
  const concerned = await requireBranches(options, preview, stack?.refs ?? []);
  signal?.throwIfAborted();
  await stack?.remove({ keepsStack: true });
  for (const branch of concerned) await removeByApi(options, branch);
  return stack !== undefined || concerned.length > 0;
}

/** The branches that are called as the preview, and those that its stack would remove. Throws where one is something else. */
async function requireBranches(
  { client, project }: RemovalOptions,
  preview: Preview,
  refs: readonly string[],
): Promise<readonly ListedBranch[]> {
  const listed = await client.listBranches({ ref: project });
  const unnamed = listed.find(({ name, project_ref: ref }) => name == null && ref !== project);
  // Left out, the preview would look as if it were gone.
  if (unnamed !== undefined) throw createLackingError("name", unnamed.project_ref);
  const concerned = listed.filter(
    ({ name, project_ref: ref }) => name === preview.name || refs.includes(ref),
  );
  for (const branch of concerned) {
    requirePreview(`The branch ${branch.name ?? ""} (${branch.project_ref})`, toBranchFacts(branch), preview);
  }
  return concerned;
}

/** Removes a branch, and waits until it is gone. */
async function removeByApi(options: RemovalOptions, branch: ListedBranch): Promise<void> {
  const { client, project, signal, pollMs = POLL_MS } = options;
  const deadline = Date.now() + LONGEST_REMOVAL_MS;
  const isThere = async (): Promise<boolean> =>
    (await client.listBranches({ ref: project })).some(({ project_ref: ref }) => ref === branch.project_ref);
  let answer = "";
  for (let round = 0; await isThere(); round += 1) {
    if (Date.now() > deadline) {
      throw new Error(`${branch.name ?? branch.project_ref} is still listed after five minutes${answer}`);
    }
    // Ends at once when it is interrupted, which is told next.
    if (round > 0) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    signal?.throwIfAborted();
    try {
      // At once, also where the service would schedule it.
      await client.deleteBranch({ branch_id_or_ref: branch.project_ref });
    } catch (error) {
      if (isNotFound(error)) return;
      // While a run is under way the service refuses; the next round tries again.
      if (!isRefusal(error)) throw error;
      answer = `: ${error.message}`;
    }
  }
}
