import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  cannotBeRenamed: defineProblem({
    says: 'the API cannot rename an organization: this one is called "{present}". {remedy}.',
    means: "The declared `name` is not the one that the organization has.",
    remedy:
      "Declare the name that it has. To rename it, do so in the service's own console, then run `pulumi refresh` and declare the new name; for another organization declare another resource",
  }),
  stays: defineProblem({
    says: "the organization {slug} stays on the service with all that it has: the API cannot delete one, and it is only taken out of Pulumi's state. {remedy}.",
    means: "A warning: the resource was deleted, and the organization is still there.",
    remedy: "Delete it in the service's own console",
  }),
};
