import { defineProblem } from "./problem";

/** What can go wrong with every call. */
export const problems = {
  namesFile: defineProblem({
    says: "The names file {fault}",
    means: "The file in `management:names` cannot be read or is ambiguous. The message gives the line.",
    remedy: "Correct the file ([Names](../names.md)), or unset `management:names`",
  }),
  wrongToken: defineProblem({
    says: "The access token is wrong, expired or revoked: {advice}.",
    means: "The service answered 401.",
    remedy: "Set a valid one",
  }),
  otherAccount: defineProblem({
    says: "The access token belongs to the account {found}, not to {expected}, so nothing was written: {remedy}.",
    means: "`management:expectedAccount` names another account than the one to which the token belongs.",
    remedy: "Use a token of the expected account, or correct `management:expectedAccount`",
  }),
  accountUnknown: defineProblem({
    says: "The account of the access token could not be compared with `management:expectedAccount`, so nothing was written: {remedy}. {error}",
    means:
      "The service did not say to which account the token belongs, or does not have the operation that does.",
    remedy:
      "Run again, or unset `management:expectedAccount` if the installation does not have the operation",
  }),
  missingRights: defineProblem({
    says: "The operation needs {rights}: {remedy}.",
    means:
      "The service answered 403. The token lacks a permission or an OAuth scope, or its owner has no access to the object. Each page lists the permissions of its operations.",
    remedy: "Grant them to the token, and check that its owner has access to the object",
  }),
  planQuota: defineProblem({
    says: "A quota of the organization's plan is used up: {remedy}.",
    means: "The service answered 402.",
    remedy: "Delete unused objects or change the plan",
  }),
  featureOfPlan: defineProblem({
    says: "The organization's plan does not include this: {remedy}.",
    means: "The service answered 402: a feature is not part of the plan.",
    remedy: "Change the declaration or the plan",
  }),
  gatewayRefusal: defineProblem({
    says: "The answer does not come from the service, but from a gateway in front of it: {remedy}.",
    means: "A gateway answered 403 with a page of its own, which says nothing about the token.",
    remedy: "Check any proxy or gateway on the way, and run again later",
  }),
  userScoped: defineProblem({
    says: "The token belongs to an organization, and the call takes the token of a user: {remedy}.",
    means: "The service answered 403: a token of an organization may not make this call.",
    remedy: "Use the access token of a user",
  }),
  planRefusal: defineProblem({
    says: "The organization's plan may not include this: {remedy}.",
    means: "The service answered 400, 403 or 422 with a message that names the plan.",
    remedy: "Change the declaration or the plan",
  }),
  objectQuota: defineProblem({
    says: "Calls are left, so this is not the rate limit: {remedy}.",
    means:
      "The service answered 429 for a quota of the object itself, such as one change of a disk in four hours.",
    remedy: "Try again later; the service's message says when",
  }),
  noCallsLeft: defineProblem({
    says: "The rate limit of {scope} is used up and no calls are left in time: {remedy}.",
    means:
      "The service answered 429 until the deadline: this run and other users of the account have used up the rate limit. The provider has retried. `timeouts` or `customTimeouts` set the deadline.",
    remedy: "Allow more time, or check what else uses the same account",
  }),
  foreignAnswer: defineProblem({
    says: "The answer says nothing of the object, so it is treated as still present: {remedy}.",
    means: "A gateway or another server answered 404 or 406, or the server has no such endpoint.",
    remedy: "Check the base URL and any proxy or gateway on the way",
  }),
  notOffered: defineProblem({
    says: "This installation does not have the operation {operation}: {remedy}.",
    means:
      "The service answered 404 to an operation that it does not have. Some operations exist only on newer installations.",
    remedy: "Ask the service's operator to upgrade it, or do without what needs the operation",
  }),
  redirected: defineProblem({
    says: "A redirect{target} was not followed, because the token is only sent to the configured address: {remedy}.",
    means: "The service redirects to another address.",
    remedy: "Correct the base URL",
  }),
  gatewayTimeout: defineProblem({
    says: "A gateway did not wait for the answer, and the service may still be working on the request: {remedy}.",
    means:
      "A gateway in front of the service answered 504, 522 or 524 to an operation that takes long. What changes something is looked for before it is sent again.",
    remedy: "Look at what has happened before you send it again, or ask for less at once",
  }),
  faultOfService: defineProblem({
    says: "The service failed: {remedy}.",
    means: "The service answered 5xx to several attempts. A later run continues from here.",
    remedy: "Try again later",
  }),
};
