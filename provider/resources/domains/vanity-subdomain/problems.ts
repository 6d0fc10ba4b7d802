import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  taken: defineProblem({
    says: "The vanity subdomain {name} is not available for the project {ref}: another project has it, or the service keeps it for itself. Nothing was changed. {remedy}.",
    means: "The service answered that the name is not available.",
    remedy: "Declare another `vanitySubdomain`",
  }),
  servedElsewhere: defineProblem({
    says: "The project {ref} is served at the custom hostname {hostname}, and has no vanity subdomain beside it. Nothing was changed. {remedy}.",
    means: "An active custom hostname excludes a vanity subdomain.",
    remedy: "Remove the CustomHostname first, or take the VanitySubdomain out of the program",
  }),
  isDifferentObject: defineProblem({
    says: "The vanity subdomain {name} was not removed: the project {ref} has {present} by now, which somebody else chose. {remedy}.",
    means: "The subdomain was changed outside Pulumi since the last refresh.",
    remedy:
      "To remove it as well, run `pulumi refresh` first; to leave it, take the resource out of the state with `pulumi state delete`",
  }),
};
