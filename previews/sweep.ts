import { listPreviews, type PreviewBranch } from "./preview-branch";
import { PullRequestsError } from "./pull-requests";
import { redacted } from "./redaction";
import { again, removeByApi, type RemovalOptions } from "./removal";
import { staleness, type Judging } from "./stale";

export interface SweepOptions extends RemovalOptions {
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
  readonly warn?: (line: string) => void;
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
    return { outcome: "failed", error: redacted(error instanceof Error ? error.message : String(error)) };
  }
}
