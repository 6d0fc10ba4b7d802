import { defineProblem } from "../../../client/problem";
import { cidrProblems } from "../../../converge/cidrs";
import { networkProblems } from "../../../converge/network-lists";

export const problems = {
  ...networkProblems,
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  nobodyAllowed: defineProblem({
    says: "no declared list has an entry, so nobody could connect to the database: {remedy}",
    means: "`allowedCidrs` and `allowedCidrsV6` allow no address at all.",
    remedy: "Add an entry to either list, or set `denyAll: true` if that is what you want",
  }),
  nothingToRestore: defineProblem({
    says: "the service did not show which addresses the project {ref} allowed before, so its lists stay as they are: {remedy}.",
    means: "A warning: the lists that the resource declared stay in force after its delete.",
    remedy: "Set them in the service's console if others are wanted",
  }),
};
