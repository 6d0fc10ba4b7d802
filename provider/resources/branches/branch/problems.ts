import { defineProblem } from "../../../client/problem";
import { restProblems } from "../../../converge/problems";

export const problems = {
  ...restProblems,
  defaultBranch: defineProblem({
    says: "The branch {name} is the default branch: it stands for the project {ref} itself, so it can be neither made, taken over nor deleted as a branch. Nothing was changed. {advice}.",
    means: "The service makes a default branch beside the first one.",
    remedy: "Use another `branchName`",
  }),
  ofBranch: defineProblem({
    says: "projectRef: {ref} is itself a branch, and a branch has no branches. {remedy}.",
    means: "`projectRef` is the reference of a branch.",
    remedy: "Give the reference of the project that it was made from",
  }),
  notUsable: defineProblem({
    says: "The branch {name} ({ref}) is not usable: {why}. {remedy}. {log}",
    means: "A step that fills the branch failed; the message has the end of its log, without secrets.",
    remedy: "Correct what the step works on, push it to the branch or reset the branch, then run again",
  }),
};
