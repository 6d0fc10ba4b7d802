import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  needsAddOn: defineProblem({
    says: "The service rejected the custom hostname{answer}. It requires the add-on `custom_domain`: {remedy}.",
    means: "The service answered 400: the project lacks the add-on for custom hostnames.",
    remedy:
      'Declare a `BillingAddon` with `addonType: "custom_domain"` and let the hostname depend on it, or select the add-on in the service\'s console and run again',
  }),
  hasAnother: defineProblem({
    says: "The project {ref} already has the custom hostname {present}: {remedy}.",
    means: "A project can have only one custom hostname.",
    remedy: "Declare it, with `adopt: true`, or remove it in the service's console first if nothing uses it",
  }),
  certificateRefused: defineProblem({
    says: "No certificate can be issued for {name}: the service reports {answer}. {remedy}.",
    means:
      "A CAA record in the DNS of the hostname does not allow the authority that issues the certificate.",
    remedy:
      "Allow the authority that the service's guide of custom hostnames names by a CAA record of the hostname, and run again",
  }),
  cannotBeRemoved: defineProblem({
    says: "the service cannot remove a custom hostname ({status}). {present} stays on the project {ref} until you remove it yourself or delete the project.",
    means: "Warning. The hostname stays on the project but is no longer in the state.",
    remedy: "Remove it in the service's console, or delete the project",
  }),
};
