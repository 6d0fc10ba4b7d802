import { defineProblem } from "../../../client/errors/problem";
import { cidrProblems } from "../shared/cidrs";
import { networkProblems } from "../shared/network-lists";

export const problems = {
  ...networkProblems,
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  nobodyAllowed: defineProblem({
    says: "no declared list has an entry, so nobody could connect to the database: {remedy}",
    means: "`allowedCidrs` and `allowedCidrsV6` allow no address at all.",
    remedy: "Add an entry to either list, or set `denyAll: true` if that is what you want",
  }),
  hasOthers: defineProblem({
    says: "the project {ref} also allows {entries}, which neither the program nor Pulumi's state has and which a write of the whole list would remove: nothing was changed. {remedy}.",
    means:
      "The lists have entries that neither the program nor Pulumi's state knows: another program's, or made by hand. The entries `0.0.0.0/0` and `::/0`, as a new project has them, are not asked for.",
    remedy:
      "Declare them as well, or manage only your own entries with `AllowedCidr`. To remove them, set `replaceOthers: true`",
  }),
  staysNarrow: defineProblem({
    says: "{settings} of the project {ref} stay as they are: what was there before this program is not known, or would let more addresses in. {remedy}.",
    means:
      "A warning: the resource, or a list, is taken out of the program. What was found is restored only where that lets nobody else in.",
    remedy: "To let others in, declare their ranges, or set the lists in the service's console",
  }),
};
