import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  isComputeSize: defineProblem({
    says: "the compute size is a property of the Project. {remedy}.",
    means:
      "The add-on `compute_instance` is the compute size of a project, which the Project resource manages.",
    remedy: "Set `instanceSize` of the Project instead",
  }),
  notSelectable: defineProblem({
    says: "the API selects no variant of {type}. {remedy}.",
    means: "The API lists the add-on but takes no variant of it.",
    remedy: "Select it in the service's own console",
  }),
  ofAnotherType: defineProblem({
    says: '"{variant}" is no variant of {type}; allowed: {allowed}',
    means: "`variant` belongs to another `addonType`.",
    remedy: "Use a variant that the message lists",
  }),
  refused: defineProblem({
    says: "The service refuses the variant {variant} of {type} to the project {ref}, though it lists it, so nothing was changed (the service says: {answer}). {remedy}.",
    means:
      "The service lists the variant and does not select it, as on a plan without add-ons. Nothing was changed.",
    remedy:
      "If it is for the plan, move the project to an organization whose plan has add-ons, or take the add-on out of the program",
  }),
  notOffered: defineProblem({
    says: "The project {ref} is not offered the variant {variant} of {type}, so nothing was changed (the service says: {answer}). Offered: {offered}. {remedy}.",
    means: "The service does not offer the variant to the project. Nothing was changed.",
    remedy: "Declare an offered variant, or move the project to a plan that has this one",
  }),
};
