import { InvalidInputError } from "../../../client/errors/errors";
import { toldOf, whyNotPreview, type Purpose } from "../shared/preview-identity";
import { nameOf, type BranchRecord } from "./calls";
import { problems } from "./problems";

/** Throws where one of the branches was not made for this pull request: it is nobody's to take over. */
export function requirePreviewOf(branches: readonly BranchRecord[], purpose: Purpose): void {
  for (const branch of branches) {
    const why = whyNotPreview(toldOf(branch), purpose);
    if (why === undefined) continue;
    const { pullRequest } = purpose;
    const told = { name: nameOf(branch), ref: branch.project_ref, pullRequest, why };
    throw new InvalidInputError("name", problems.ofAnotherPurpose.message(told));
  }
}
