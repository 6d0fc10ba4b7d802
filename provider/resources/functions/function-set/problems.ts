import { defineProblem } from "../../../client/problem";
import { edgeFunctionProblems } from "../../../converge/edge-functions/problems";
import { emptySourceProblems } from "../../../converge/empty-source";
import { NAMES_ADVICE, namedSetProblems } from "../../../converge/named-set";

export const problems = {
  ...edgeFunctionProblems,
  ...namedSetProblems,
  ...emptySourceProblems,
  noSlug: defineProblem({
    says: "the folder `{name}` cannot be a function: {form}. {remedy}.",
    means: "Every folder of `sourceDir` is a function with the folder's name as its slug.",
    remedy: "Rename it; a name that begins with `_` is that of shared code",
  }),
  linkedFolder: defineProblem({
    says: "the folder `{name}` is a link, and no link to a folder is followed. {remedy}.",
    means: "A function would be left out.",
    remedy: "Move the folder here, or rename the link so that it begins with `_`",
  }),
  noFolder: defineProblem({
    says: "there is no folder `{name}` in {folder}",
    means: "`functions` has settings for a function that has no folder.",
    remedy: "Make the folder, or take the settings out",
  }),
  unusableSource: defineProblem({
    says: "the function `{name}` cannot be deployed: {fault}",
    means: "The source of a function cannot be deployed, such as without an entrypoint.",
    remedy: "Correct what the message names; a folder of shared code begins with `_`",
  }),
  hasAlready: defineProblem({
    says: "The project {ref} has {names} already. Nothing was changed. {remedy}.",
    means: "Somebody else deployed functions that the set declares from now on.",
    remedy: NAMES_ADVICE,
  }),
  notDeployed: defineProblem({
    says: "{names} failed, and everything else of the set is as declared: {answer}",
    means: "Some functions could not be deployed or removed. The others were, and stay.",
    remedy: "Correct what the service names, and run again: only what failed is tried again",
  }),
};
