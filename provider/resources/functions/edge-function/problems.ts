import { defineProblem } from "../../../client/problem";
import { edgeFunctionProblems } from "../../../converge/edge-functions/problems";

const { quota, sourceTooLarge } = edgeFunctionProblems;

export const problems = {
  quota,
  sourceTwice: defineProblem({
    says: "only one of `sourceDir` and `files` may be given",
    means: "Both sources are set.",
    remedy: "Take one out",
  }),
  sourceTooLarge,
};
