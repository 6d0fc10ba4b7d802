import { defineProblem } from "./problem";

/** What can go wrong with every call. */
export const problems = {
  namesFile: defineProblem({
    says: "The names file {fault}",
    means: "The file in `management:names` cannot be read or is ambiguous; the message gives the line.",
    remedy: "Correct the file ([Names](../names.md)), or unset `management:names`",
  }),
  wrongToken: defineProblem({
    says: "The access token is wrong, expired or revoked: {advice}.",
    means: "401: the service does not accept the token.",
    remedy: "Set a valid one",
  }),
  missingRights: defineProblem({
    says: "The operation needs {rights}: {remedy}.",
    means:
      "403: the token lacks a permission or an OAuth scope, or its owner may not reach the object. Each page lists what its operations need.",
    remedy: "Give them to the token, and check that its owner may reach the object",
  }),
  planQuota: defineProblem({
    says: "A quota of the organization's plan is used up: {remedy}.",
    means: "402: the plan allows no more.",
    remedy: "Remove what is unused or change the plan",
  }),
  planRefusal: defineProblem({
    says: "What the organization's plan includes may be the reason: {remedy}.",
    means: "400, 403 or 422 with a message that names the plan: the plan does not include what is declared.",
    remedy: "Declare what the plan includes, or change the plan",
  }),
  noCallsLeft: defineProblem({
    says: "The rate limit of {scope} is used up and no calls are left in time: {remedy}.",
    means:
      "429 until the deadline: this run and other users of the account have exhausted the rate limit. The provider retries before it reports this error. `timeouts` or `customTimeouts` set the deadline.",
    remedy: "Allow more time, or check what else uses the same account",
  }),
  foreignAnswer: defineProblem({
    says: "The answer is not the service's own, so nothing is taken to be gone: {remedy}.",
    means: "404 or 406 from a gateway or another server.",
    remedy: "Check the base URL, and what stands before the service",
  }),
  redirected: defineProblem({
    says: "A redirect{target} is not followed, since the token must stay with the configured address: {remedy}.",
    means: "The service redirects to another address.",
    remedy: "Correct the base URL",
  }),
  faultOfService: defineProblem({
    says: "The fault lies with the service: {remedy}.",
    means: "5xx after several attempts. A later run continues what this one started.",
    remedy: "Try again later",
  }),
};
