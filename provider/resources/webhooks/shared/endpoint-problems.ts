import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  accessDisabled: defineProblem({
    says: "The service does not allow webhooks for {owner}{answer}. Nothing was changed. {remedy}.",
    means: "The service answered 403: access to webhooks is switched off.",
    remedy: "Have webhooks enabled by the service's operator, or remove the endpoint from the program",
  }),
  notServed: defineProblem({
    says: "The service answers 404 for the webhooks of {owner}, which exists{answer}. Nothing was changed, and all endpoints are treated as still present. {remedy}.",
    means: "The service has no webhooks for this project or organization, or the token may not read them.",
    remedy:
      "Check that this installation and the plan have webhooks, and that the token may read them, then run again",
  }),
  stillListed: defineProblem({
    says: "{error} The listing still has the endpoint. {remedy}.",
    means: "The service answered 404 to a delete, although it lists the endpoint.",
    remedy: "Run again",
  }),
};

export const organizationProblems = {
  organizationNotFound: defineProblem({
    says: "The service answers 404 for the organization {slug}. This does not prove that its webhook endpoints are gone: the access token may be of an account that is not a member. They stay in Pulumi's state. {remedy}.",
    means:
      "The organization could not be read. No other answer of the service shows whether it still exists.",
    remedy:
      "Use a token of a member. If you deleted the organization, remove the endpoint from the state with `pulumi state delete '{urn}'`",
  }),
};
