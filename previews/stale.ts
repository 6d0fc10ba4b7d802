import { ManagementError, type ManagementClient } from "../provider/client";
import { isOpen, type PreviewBranch } from "./preview-branch";
import { ttlHoursOf } from "./ttl";

export const HOUR_MS = 3_600_000;

/** What decides whether a preview is stale. */
export interface Judging {
  readonly client: ManagementClient;
  /** Numbers of the pull requests that are open. */
  readonly open: ReadonlySet<number>;
  /** A younger branch is never stale: its pull request may be missing from a list that was made before. */
  readonly graceMs: number;
  readonly nowMs: number;
  /** Hears of what could not be found out; the branch stays then. */
  readonly warn: (line: string) => void;
}

/** Why a preview has to go, in the words of the table; undefined while it is to stay. */
export async function staleness(judging: Judging, branch: PreviewBranch): Promise<string | undefined> {
  const { client, open, graceMs, nowMs, warn } = judging;
  const ageMs = nowMs - branch.createdMs;
  if (ageMs < graceMs) return undefined;
  if (!isOpen(branch, open)) return `pull request ${branch.pullRequest} is not open`;
  if (ageMs < HOUR_MS) return undefined;
  try {
    const hours = await ttlHoursOf(client, branch);
    return hours !== undefined && ageMs > hours * HOUR_MS ? `older than its ${hours} hours` : undefined;
  } catch (error) {
    if (!(error instanceof ManagementError)) throw error;
    warn(`${branch.name}: how long it is to last is not known, so it stays. ${error.message}`);
    return undefined;
  }
}
