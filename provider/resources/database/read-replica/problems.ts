import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  refused: defineProblem({
    says: "The service refuses a read replica of the project {ref}{answer}. {remedy}.",
    means: "400: the project's compute size is too small for a read replica, or for another one.",
    remedy:
      "If the answer names the compute size, choose a larger `instanceSize` for the project, or declare fewer read replicas",
  }),
  notSetUp: defineProblem({
    says: "The read replica {id} is {status}: the service could not set it up, or is removing it. {remedy}.",
    means: "The read replica is in a state from which it does not become healthy.",
    remedy:
      "To make another one, remove it with `pulumi destroy --target <its URN>` and run `pulumi up`; if you delete it in the console instead, run `pulumi up --refresh`. If that fails as well, ask the service's support",
  }),
  notListed: defineProblem({
    says: "listOrganizationProjects: the service does not show the databases of the project {ref}; nothing is taken to be gone. {remedy}.",
    means: "The organization's listing lacks the project, or what identifies its read replicas.",
    remedy: "Run again",
  }),
};
