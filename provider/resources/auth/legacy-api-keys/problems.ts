import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  withdrawn: defineProblem({
    says: "The service has no switch for the legacy API keys of {ref} any more{answer}: it offers such keys no longer, and nothing that belongs to it is taken to be gone. {remedy}.",
    means: "404: the service has withdrawn the operations of the legacy API keys.",
    remedy:
      "Use the resource `ApiKey`, with a publishable key in place of `anon` and a secret one in place of `service_role`, and take this resource out of the state and the program: `pulumi state delete <urn>`",
  }),
};
