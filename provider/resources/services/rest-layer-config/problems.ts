import { restProblems } from "../../../define/problems";
import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  // Where a write waits for the service of a project without a schema.
  ...restProblems,
  withoutSchema: defineProblem({
    says: "`dbSchema` of the project {ref} is empty: the REST layer serves nothing, and its service `rest` never becomes healthy. {remedy}.",
    means: "A warning: the REST layer was given no schema, so that its service never becomes healthy.",
    remedy: "Declare at least one schema, unless this switches the REST layer off on purpose",
  }),
};
