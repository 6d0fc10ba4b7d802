import type { branchMerge } from "../../../provider/actions/branches/branch-merge";
import type { SampleOf } from "../sample";
import { onBranch } from "./branch-actions";

const { refs, ...others } = onBranch("merge");

export const sample: SampleOf<typeof branchMerge> = {
  ...others,
  type: "BranchMerge",
  inputs: refs,
  changed: refs,
};
