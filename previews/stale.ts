import type { ManagementClient } from "../provider/client";
import { ManagementError } from "../provider/client/errors/errors";
import type { PreviewBranch } from "./preview-branch";
import { readTtlHours } from "./ttl";

export const HOUR_MS = 3_600_000;

/** A pull request, as the place where it is has it now. */
export interface PullRequestState {
  /** False once it is closed or merged. */
  readonly isOpen: boolean;
  /** Git branch that it is of; where it is not known, that of the preview is taken for it. */
  readonly gitBranch?: string | undefined;
}

/** Why a preview has to go, in the words of the table; undefined while it is to stay. */
export async function explainStaleness(
  client: ManagementClient,
  pullRequest: PullRequestState,
  branch: PreviewBranch,
  warn: (line: string) => void,
): Promise<string | undefined> {
  const closed = explainClosedRequest(pullRequest, branch.pullRequest);
  if (closed !== undefined) return closed;
  const ageMs = Date.now() - branch.createdMs;
  if (ageMs < HOUR_MS) return undefined;
  try {
    const hours = await readTtlHours(client, branch);
    return hours !== undefined && ageMs > hours * HOUR_MS ? `older than its ${hours} hours` : undefined;
  } catch (error) {
    if (!(error instanceof ManagementError)) throw error;
    warn(`${branch.name}: its lifetime is unknown, so it stays. ${error.message}`);
    return undefined;
  }
}

export function explainClosedRequest({ isOpen }: PullRequestState, number: number): string | undefined {
  return isOpen ? undefined : `pull request ${number} is closed`;
}
