import { defineProblem } from "../../../client/problem";

export const problems = {
  outlives: defineProblem({
    says: "{role} can log in until {expiresAt}, when it expires by itself: the API removes only all login roles of a project at once.",
    means:
      "Deleting the resource, or a new role in place of an old one, leaves the old role until it expires.",
    remedy: "Nothing",
  }),
};
