import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  notThere: defineProblem({
    says: "The service returns no connection pooler for the database of {ref}. {remedy}.",
    means: "The pooler of a new project is not set up yet. A create, update or delete waits for it.",
    remedy: "Run again once the service `pooler` of the project is healthy",
  }),
};
