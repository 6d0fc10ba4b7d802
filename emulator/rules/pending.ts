import { Refusal } from "../handler";

function pending(): never {
  throw new Refusal(501, "Not emulated yet");
}

export const pendingHandlers = {
  diffBranch: pending,
  mergeBranch: pending,
  pushBranch: pending,
  resetBranch: pending,
  countActionRuns: pending,
  updateActionRunStatus: pending,
};
