import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  stayEnabled: defineProblem({
    says: "the database webhooks of {ref} stay enabled: the API cannot disable them. Only Pulumi's record of them is removed. {remedy}.",
    means: "A warning: deleting the resource leaves the webhooks enabled.",
    remedy: "If some are no longer wanted, remove them in the service's own console",
  }),
};
