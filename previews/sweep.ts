import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, isNotFound, type ManagementClient } from "../provider/client";
import { listPreviews, type PreviewBranch, type WhichBranches } from "./preview-branch";
import { PullRequestsError } from "./pull-requests";
import { staleness, type Judging } from "./stale";

/** Removes the stack that manages a preview; false where there is none. */
export type RemoveStack = (branch: PreviewBranch) => Promise<boolean>;

export interface SweepOptions extends WhichBranches {
  readonly client: ManagementClient;
  /** Numbers of the open pull requests; asked again before each removal. */
  readonly openPullRequests: () => Promise<ReadonlySet<number>>;
  /** Whether there may be no open pull request at all; otherwise that is an error, as of a list that was not made. */
  readonly allowEmpty?: boolean;
  /** The least age in milliseconds at which a branch is removed; one hour when absent. */
  readonly graceMs?: number;
  /** The most branches that are removed; 10 when absent. */
  readonly max?: number;
  /** Whether anything is removed; when absent, the answer says what would be. */
  readonly yes?: boolean;
  /** Removes by the stack where there is one; by the API alone when absent. */
  readonly removeStack?: RemoveStack;
  readonly warn?: (line: string) => void;
  /** Milliseconds between two looks at whether a branch is gone; 5 s when absent. */
  readonly pollMs?: number;
}

/** What became of a stale preview. */
export interface Swept {
  readonly branch: PreviewBranch;
  /** Why it is stale. */
  readonly reason: string;
  /**
   * `would be removed` without `yes`; `removed`, `removed with its stack`; `gone already`, by another sweep or somebody;
   * `stays`, as it is stale no longer; `left for the next sweep`, beyond `max`; `failed`.
   */
  readonly outcome:
    | "would be removed"
    | "removed"
    | "removed with its stack"
    | "gone already"
    | "stays"
    | "left for the next sweep"
    | "failed";
  readonly error?: string;
}

const DEFAULT_GRACE_MS = 3_600_000;
const DEFAULT_MAX = 10;
const POLL_MS = 5_000;
/** How long a removed branch may still be listed. */
const LONGEST_REMOVAL_MS = 300_000;

/**
 * Removes the previews whose pull request is not open, or that are older than they are to be. Throws, with nothing
 * removed, where the pull requests or the branches cannot be listed completely.
 */
export async function sweepPreviews(options: SweepOptions): Promise<Swept[]> {
  const { client, max = DEFAULT_MAX, yes = false } = options;
  const judging = await judgingOf(options);
  const stale: { branch: PreviewBranch; reason: string }[] = [];
  for (const branch of await listPreviews(client, options)) {
    const reason = await staleness(judging, branch);
    if (reason !== undefined) stale.push({ branch, reason });
  }
  const swept: Swept[] = [];
  for (const [index, one] of stale.entries()) {
    if (index >= max) swept.push({ ...one, outcome: "left for the next sweep" });
    else if (!yes) swept.push({ ...one, outcome: "would be removed" });
    else swept.push({ ...one, ...(await removeIfStale(options, one.branch)) });
  }
  return swept;
}

async function judgingOf(options: SweepOptions): Promise<Judging> {
  const { client, graceMs = DEFAULT_GRACE_MS, allowEmpty = false, warn = () => undefined } = options;
  const open = await options.openPullRequests();
  if (open.size === 0 && !allowEmpty) {
    throw new PullRequestsError(
      "The list of open pull requests is empty, as it is where listing them failed. Nothing is removed. If none is open, say so with --allow-empty.",
    );
  }
  return { client, open, graceMs, nowMs: Date.now(), warn };
}

type Outcome = Pick<Swept, "outcome" | "error">;

/** Looks once more, as minutes may have passed since the listing, and removes. */
async function removeIfStale(options: SweepOptions, branch: PreviewBranch): Promise<Outcome> {
  try {
    const judging = await judgingOf(options);
    const now = await again(options, branch);
    if (now === undefined) return { outcome: "gone already" };
    if ((await staleness(judging, now)) === undefined) return { outcome: "stays" };
    const hadStack = (await options.removeStack?.(now)) === true;
    const left = hadStack ? await again(options, branch) : now;
    if (left !== undefined) await removeByApi(options, left);
    return { outcome: hadStack ? "removed with its stack" : "removed" };
  } catch (error) {
    return { outcome: "failed", error: error instanceof Error ? error.message : String(error) };
  }
}

/** The same branch as it is now: not another one of its name. */
async function again(options: SweepOptions, { branchId }: PreviewBranch): Promise<PreviewBranch | undefined> {
  const previews = await listPreviews(options.client, options);
  return previews.find((each) => each.branchId === branchId);
}

async function removeByApi(options: SweepOptions, branch: PreviewBranch): Promise<void> {
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
