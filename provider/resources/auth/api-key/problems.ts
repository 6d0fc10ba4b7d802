import { defineProblem } from "../../../client/problem";

export const problems = {
  templateOfPublishable: defineProblem({
    says: "only a key of type `secret` has a template: {remedy}",
    means: "A publishable key has a `secretJwtTemplate`.",
    remedy: "Take it out, or set `type` to `secret`",
  }),
};
