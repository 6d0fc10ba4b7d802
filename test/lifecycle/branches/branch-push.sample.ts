import type { branchPush } from "../../../provider/actions/branches/branch-push";
import type { SampleOf } from "../sample";
import { onBranch } from "./branch-actions";

const { refs, ...others } = onBranch("push");

export const sample: SampleOf<typeof branchPush> = {
  ...others,
  type: "BranchPush",
  inputs: refs,
  changed: refs,
};
