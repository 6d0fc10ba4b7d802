import type { branch } from "../../../provider/resources/branches/branch/branch";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof branch> = {
  type: "Branch",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, name: "preview", gitBranch: "feature/a" }),
  changed: (projectRef) => ({ projectRef, name: "preview", gitBranch: "feature/b" }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listBranches", { ref }).filter(({ is_default }) => !is_default),
  isChanged: (shown) => field(shown, "git_branch") === "feature/b",
  editOutside: ({ branches }) => branches.forEach((branch) => void (branch.gitBranch = "by-hand")),
  secrets: [
    "connectionString",
    "jwtSecret",
    "password",
    "pooledConnectionString",
    "publishableKey",
    "secretKey",
    "secrets",
  ],
  secretInputs: { secrets: { PAYMENT_TOKEN: "the-branch's-own-token" }, withKeys: true, withPooler: true },
  objects: {
    ids: ({ emulator }, ref) =>
      emulator.control
        .call("listBranches", { ref })
        .filter(({ is_default }) => !is_default)
        .map(({ project_ref }) => project_ref),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listBranches", { ref }).find(({ project_ref }) => project_ref === id)?.name,
    make: ({ emulator }, ref, count) =>
      emulator.control.call("createBranch", { ref, body: { branch_name: `others-${count}` } }),
  },
};
