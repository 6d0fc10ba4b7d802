import { defineProblem } from "../../client/problem";

/** What can go wrong where functions are deployed. */
export const edgeFunctionProblems = {
  quota: defineProblem({
    says: "The plan's quota of edge functions is used up, so nothing was deployed{answer}. {remedy}.",
    means: "402: the plan allows no more.",
    remedy: "Delete functions that are not needed, or move the organization to a larger plan, and run again",
  }),
  sourceTooLarge: defineProblem({
    says: "The source is larger than 20 MiB, which is too much to deploy.{advice}",
    means: "The service accepts no larger upload.",
    remedy: "Exclude what the function does not need by a .funcignore file",
  }),
};
