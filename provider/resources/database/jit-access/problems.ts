import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  notTaken: defineProblem({
    says: "the just-in-time access of the project {ref} was to be {wanted}, and the service answers that it is {state}. {remedy}.",
    means:
      "The service accepted the request and did not apply it: it returns another state than the declared one.",
    remedy:
      "If it is `unavailable`, the project cannot grant such access as it is now: the service's own console says why. Otherwise run again",
  }),
};
