import { InvalidInputError } from "../../../client/errors";
import { nameOf, type BranchRecord } from "./calls";
import { problems } from "./problems";

/** What a preview is made for. */
export interface Purpose {
  readonly pullRequest: number;
  readonly gitBranch: string | undefined;
}

/** Throws where one of the branches was not made for this pull request: it is nobody's to take over. */
export function requirePreviewOf(branches: readonly BranchRecord[], purpose: Purpose): void {
  for (const branch of branches) {
    const why = otherPurpose(branch, purpose);
    if (why === undefined) continue;
    const { pullRequest } = purpose;
    const told = { name: nameOf(branch), ref: branch.project_ref, pullRequest, why };
    throw new InvalidInputError("branchName", problems.ofAnotherPurpose.message(told));
  }
}

function otherPurpose(branch: BranchRecord, { pullRequest, gitBranch }: Purpose): string | undefined {
  const { git_branch: git, pr_number: number, persistent } = branch;
  // What is not told is not taken for harmless.
  if (persistent !== false) return "it is persistent, or the service does not tell whether it is";
  if (number != null && number !== pullRequest) return `it is of pull request ${number}`;
  if ((git ?? undefined) === gitBranch) return undefined;
  const from = git == null ? "no Git branch" : `the Git branch "${git}"`;
  return `it was made from ${from}, not from ${gitBranch === undefined ? "none" : `"${gitBranch}"`}`;
}
