import { defineProblem } from "../../../client/problem";

export const RESERVED_PREFIX = "SVC_";

export const problems = {
  reservedName: defineProblem({
    says: `names that begin with ${RESERVED_PREFIX} are the service's own`,
    means: "The service reserves them.",
    remedy: "Use another name",
  }),
};
