import type { branch } from "../../../provider/resources/branches/branch/branch";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof branch> = {
  type: "Branch",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, branchName: "preview", gitBranch: "feature/a" }),
  changed: (projectRef) => ({ projectRef, branchName: "preview", gitBranch: "feature/b" }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listBranches", { ref }).filter(({ is_default }) => !is_default),
  isChanged: (shown) => field(shown, "git_branch") === "feature/b",
};
