import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  notThere: defineProblem({
    says: "The service lists no connection pooler of the database of {ref}. {remedy}.",
    means:
      "The pooler of a project that was made a moment ago is not set up yet; a create, update or delete waits for it.",
    remedy: "Run again once the service `pooler` of the project is healthy",
  }),
};
