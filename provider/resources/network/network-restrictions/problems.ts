import { defineProblem } from "../../../client/problem";
import { cidrProblems } from "../../../converge/cidrs";

export const problems = {
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  nobodyAllowed: defineProblem({
    says: "no declared list has an entry, so nobody could connect to the database: {remedy}",
    means: "`allowedCidrs` and `allowedCidrsV6` allow no address at all.",
    remedy: "Add an entry to either list, or set `denyAll: true` if that is what you want",
  }),
  notInPlan: defineProblem({
    says: "The plan of the project {ref} does not include network restrictions (`entitlement` is `disallowed`): its lists are not in force, and they were left as they are. {remedy}.",
    means:
      "The organization's plan lacks network restrictions. Creating and updating fail; a delete only warns.",
    remedy: "Choose a plan that includes them, or take the resource out of the program",
  }),
  nothingToRestore: defineProblem({
    says: "the service did not show which addresses the project {ref} allowed before, so its lists stay as they are: {remedy}.",
    means: "A warning: the lists that the resource declared stay in force after its delete.",
    remedy: "Set them in the service's console if others are wanted",
  }),
};
