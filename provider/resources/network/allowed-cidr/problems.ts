import { defineProblem } from "../../../client/errors/problem";
import { cidrProblems } from "../shared/cidrs";
import { networkProblems } from "../shared/network-lists";

export const problems = {
  ...networkProblems,
  noCidr: cidrProblems.noCidr,
  removedElsewhere: defineProblem({
    says: "{cidr} was added to the project {ref} twice, and another program removed it both times. {remedy}.",
    means: "A warning: another program has the whole list at the same time, as with NetworkRestrictions.",
    remedy: "Declare the entry there, or take the list out of that program, then run `pulumi up --refresh`",
  }),
  openToAll: defineProblem({
    says: "the project {ref} also allows {everyone}, so {cidr} restricts nothing: {remedy}.",
    means: "A warning: the list has the entry for all addresses, as that of a new project does.",
    remedy:
      "Remove that entry in the service's console, or declare the whole list with NetworkRestrictions instead",
  }),
  nobodyAllowed: defineProblem({
    says: "{cidr} was the last entry of the project {ref}: no address can connect to its database any more. {remedy}.",
    means: "A warning: a delete left both lists empty.",
    remedy: "Allow others with an AllowedCidr or with NetworkRestrictions",
  }),
};
