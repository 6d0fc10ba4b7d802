import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  outlives: defineProblem({
    says: "{role} can log in until {expiresAt}, when it expires by itself: the API removes only all login roles of a project at once.",
    means:
      "Deleting the resource, or a new role in place of an old one, leaves the old role until it expires.",
    remedy: "Nothing",
  }),
  untold: defineProblem({
    says: "the service does not say how long {role} can log in, so it counts as expired from now on. {remedy}.",
    means: "A warning: how long the role lasts is not known. `expiresAt` is the time at which it was made.",
    remedy: "Use it in this run; the next `pulumi up` makes another one",
  }),
};
