import { defineProblem } from "../../../client/errors/problem";
import { realtimeProblems, restProblems } from "../../../define/problems";

export const problems = {
  ...restProblems,
  ...realtimeProblems,
  defaultBranch: defineProblem({
    says: "The branch {name} is the default branch: it stands for the project {ref} itself, so it can be neither made, taken over nor deleted as a branch. Nothing was changed. {advice}.",
    means: "The service creates a default branch with the first one.",
    remedy: "Use another `name`",
  }),
  ofBranch: defineProblem({
    says: "projectRef: {ref} is itself a branch, and a branch has no branches. {remedy}.",
    means: "`projectRef` is the reference of a branch.",
    remedy: "Use the reference of the project that it was created from",
  }),
  ofAnotherPurpose: defineProblem({
    says: "The branch {name} ({ref}) exists and is not the preview of pull request {pullRequest}: {why}. Nothing was changed. {remedy}.",
    means: "With `pullRequest`, a branch of the same name that was made for something else is in the way.",
    remedy:
      "Delete or rename that branch if nobody needs it, or give this one another `name`, in a `PreviewEnvironment` another `namePrefix`",
  }),
  notUsable: defineProblem({
    says: "The branch {name} ({ref}) is not usable: {why}. {remedy}. {log}",
    means:
      "A deployment step of the branch failed; the message includes the end of its log, without secrets.",
    remedy: "Correct the cause, push the correction to the branch or reset the branch, then run again",
  }),
};
