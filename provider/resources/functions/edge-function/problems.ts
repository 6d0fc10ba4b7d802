import { defineProblem } from "../../../client/errors/problem";
import { edgeFunctionProblems } from "../shared/edge-functions/problems";

const { quota, sourceTooLarge } = edgeFunctionProblems;

export const problems = {
  quota,
  sourceTwice: defineProblem({
    says: "only one of `sourceDir` and `files` may be given",
    means: "Both sources are set.",
    remedy: "Take one out",
  }),
  withoutSource: defineProblem({
    says: "has no effect without `sourceDir` or `files`",
    means: "The source of an imported function is not declared, and so not deployed.",
    remedy: "Declare the source as well, or take the input out",
  }),
  sourceTooLarge,
};
