import { defineProblem } from "../../../client/errors/problem";
import { signingKeyProblems } from "../../../define/problems";

export const problems = {
  ...signingKeyProblems,
  withdrawn: defineProblem({
    says: "The service no longer takes the JWT secret of {ref} as a signing key{answer}, and nothing was changed. {remedy}.",
    means: "404: the service has withdrawn the operation that takes the JWT secret as a signing key.",
    remedy: "Use the resource `SigningKey`, which makes a new key, and take this resource out of the program",
  }),
  stays: defineProblem({
    says: "the legacy signing key of {ref} stays as it is: the API cannot delete it, and it is only taken out of Pulumi's state. {remedy}.",
    means: "A warning: the resource was deleted, and the key is still there, in the state that it was in.",
    remedy:
      "To have it sign no longer, set a `SigningKey` to `in_use`; to have it accepted no longer, disable the legacy API keys with `LegacyApiKeys` and revoke it in the service's console",
  }),
};
