import { defineProblem } from "../../../client/errors/problem";
import { edgeFunctionProblems } from "../shared/edge-functions/problems";

const { distantPackage, sourceTooLarge, unparsed, ...ofDeploys } = edgeFunctionProblems;

export const problems = {
  ...ofDeploys,
  sourceTwice: defineProblem({
    says: "`sourceDir` and `files` cannot be combined",
    means: "Both are declared.",
    remedy: "Remove one of the two",
  }),
  withoutSource: defineProblem({
    says: "has no effect without `sourceDir` or `files`",
    means: "The source of an imported function is not declared, so it is not deployed.",
    remedy: "Declare the source, or remove the input",
  }),
  unparsed,
  distantPackage,
  sourceTooLarge,
};
