import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  templateOfPublishable: defineProblem({
    says: "only a key of type `secret` has a template: {remedy}",
    means: "A publishable key has a `secretJwtTemplate`.",
    remedy: "Take it out, or set `type` to `secret`",
  }),
  descriptionChanged: defineProblem({
    says: "the description of the key {id} was changed elsewhere since this program set it, so it stays. {remedy}.",
    means:
      "A warning: `description` is taken out of the program, and the service has another one than the program set.",
    remedy: "To have another one, declare it",
  }),
};
