import { defineProblem } from "../../../client/problem";

export const problems = {
  templateOfPublishable: defineProblem({
    says: "only a key of type `secret` has a template: {remedy}",
    means: "`secretJwtTemplate` is given for a publishable key.",
    remedy: "Take it out, or set `type` to `secret`",
  }),
};
