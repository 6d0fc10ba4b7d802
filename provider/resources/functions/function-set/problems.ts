import { defineProblem } from "../../../client/errors/problem";
import { edgeFunctionProblems } from "../shared/edge-functions/problems";
import { emptySourceProblems } from "../shared/empty-source";
import { NAMES_ADVICE, namedSetProblems } from "../shared/named-set";

export const problems = {
  ...edgeFunctionProblems,
  ...namedSetProblems,
  ...emptySourceProblems,
  noSlug: defineProblem({
    says: "the folder `{name}` cannot be a function: {form}. {remedy}.",
    means: "A folder of `sourceDir` with an entrypoint is a function with the folder's name as its slug.",
    remedy: "Rename it, or list it in `exclude`; a name that begins with `_` is that of shared code",
  }),
  noEntrypoint: defineProblem({
    says: "the folder `{name}` has no {entrypoint} any more, and its function would be removed. {remedy}.",
    means: "A folder without an entrypoint is no function, and the set has deployed one from it.",
    remedy:
      "Put the entrypoint back, or name it in `functions`. To remove the function, remove the folder; to leave it as it is, list it in `exclude`",
  }),
  leftAlone: defineProblem({
    says: "The set no longer includes {names}. What the service has stays as it is: it is neither deployed nor removed. {remedy}.",
    means: "`only`, `exclude` or the configuration file leave out functions that the set has deployed.",
    remedy: "To remove one, remove its folder instead",
  }),
  configFile: defineProblem({
    says: "{path} cannot be read: {fault}. {remedy}.",
    means: "The configuration file is no TOML, or no JSON where its name says so.",
    remedy: "Correct the file",
  }),
  configValue: defineProblem({
    says: "{key} in {path} is of another type than the platform's tool takes. {remedy}.",
    means: "A section of a function has a text where a list or a boolean belongs, or the like.",
    remedy: "Correct it",
  }),
  configPath: defineProblem({
    says: "{path} names {named}, which leads out of the repository. {remedy}.",
    means: "A section of a function has a path to somewhere else on the machine.",
    remedy: "Move what it names into the repository",
  }),
  configFromEnvironment: defineProblem({
    says: "{key} in {path} is a variable of the environment, which is not read here. {remedy}.",
    means: "A section of a function has `env(…)` for a value.",
    remedy: "Say what it is meant to be in the program, by `{input}`",
  }),
  unreadConfigFile: defineProblem({
    says: "{path} says otherwise of {names}, and is not read. {remedy}.",
    means:
      "A configuration file of the platform's tool lies beside the folder of functions, and the tool would deploy them as it says.",
    remedy:
      "Name it in `configFile`, which is `functionsConfigFile` of a `PreviewEnvironment`, or declare what is to hold in `functions`, `only` and `exclude`",
  }),
  linkedFolder: defineProblem({
    says: "the folder `{name}` is a link, and no link to a folder is followed. {remedy}.",
    means: "A function would be left out.",
    remedy: "Move the folder here, or rename the link so that it begins with `_`",
  }),
  noFolder: defineProblem({
    says: "there is no folder `{name}` in {folder}",
    means: "`functions`, `only`, `exclude` or the configuration file name a function that has no folder.",
    remedy: "Make the folder, or take the name out",
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
