import type { branchReset } from "../../../provider/actions/branches/branch-reset";
import type { SampleOf } from "../sample";
import { onBranch } from "./branch-actions";

const { refs, ...others } = onBranch("reset");
const confirmed = (projectRef: string) => ({ ...refs(projectRef), confirm: refs(projectRef).branchRef });

export const sample: SampleOf<typeof branchReset> = {
  ...others,
  type: "BranchReset",
  inputs: confirmed,
  changed: confirmed,
};
