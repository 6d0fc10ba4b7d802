import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  needsAddOn: defineProblem({
    says: "The service refused the custom hostname{answer}. It needs the add-on `custom_domain`: {remedy}.",
    means: "400: the project lacks the add-on for custom hostnames.",
    remedy:
      'Declare it by the resource `BillingAddon` with `addonType: "custom_domain"`, on which the hostname then depends, or select it in the service\'s own console, and run again',
  }),
  hasAnother: defineProblem({
    says: "The project {ref} has the custom hostname {present} already: {remedy}.",
    means: "The project has another hostname and can have only one.",
    remedy: "Remove it first, or declare it with `adopt: true`",
  }),
  cannotBeRemoved: defineProblem({
    says: "the service cannot remove a custom hostname ({status}): {present} stays on the project {ref} until it is removed by hand or the project is deleted.",
    means: "A warning: the hostname stays on the project but is no longer in the state.",
    remedy: "Remove it by hand, or delete the project",
  }),
};
