import { defineProblem } from "../../../client/errors/problem";
import { edgeFunctionProblems } from "../shared/edge-functions/problems";
import { emptySourceProblems } from "../shared/empty-source";
import { NAMES_ADVICE, namedSetProblems } from "../shared/named-set";

export const problems = {
  ...edgeFunctionProblems,
  ...namedSetProblems,
  ...emptySourceProblems,
  noSlug: defineProblem({
    says: "the folder `{name}` does not have a valid function name: {form}. {remedy}.",
    means: "Each folder in `sourceDir` with an entrypoint is a function, and its name is the slug.",
    remedy: "Rename it, or list it in `exclude`. For shared code, begin the name with `_`",
  }),
  noEntrypoint: defineProblem({
    says: "the folder `{name}` no longer has {entrypoint}, so its function would be deleted. {remedy}.",
    means: "A folder without an entrypoint is not a function, but the set has deployed one from it.",
    remedy:
      "Restore the entrypoint, or set it in `functions`. To delete the function, delete the folder. To keep it without managing it, list it in `exclude`",
  }),
  leftAlone: defineProblem({
    says: "The set no longer includes {names}. These functions stay on the service and are neither deployed nor deleted. {remedy}.",
    means: "`only`, `exclude` or the configuration file exclude functions that the set has deployed.",
    remedy: "To delete a function, delete its folder instead",
  }),
  configFile: defineProblem({
    says: "{path} cannot be read: {fault}. {remedy}.",
    means: "The configuration file is not valid TOML, or not valid JSON if its name ends with `.json`.",
    remedy: "Correct the file",
  }),
  configValue: defineProblem({
    says: "{key} in {path} has the wrong type. {remedy}.",
    means:
      "A setting of a function has another type than the platform's tool accepts, for example text instead of a list.",
    remedy: "Correct it",
  }),
  configPath: defineProblem({
    says: "{path} contains {named}, which is outside the repository. {remedy}.",
    means: "A setting of a function has a path outside the repository.",
    remedy: "Move the file into the repository",
  }),
  configFromEnvironment: defineProblem({
    says: "{key} in {path} is an environment variable, which is not supported here. {remedy}.",
    means: "A setting of a function has `env(…)` as its value.",
    remedy: "Declare the value in the program, with `{input}`",
  }),
  unreadConfigFile: defineProblem({
    says: "{path} has other settings for {names}, but is not used. {remedy}.",
    means:
      "Warning. A configuration file of the platform's tool is beside the folder of functions. The tool would use its settings; this provider does not.",
    remedy: "Set it as `configFile`, or declare the settings in `functions`, `only` and `exclude`",
  }),
  linkedFolder: defineProblem({
    says: "the folder `{name}` is a link. Links to folders are not followed. {remedy}.",
    means: "The function would be missing.",
    remedy: "Replace the link by the folder, or begin the link's name with `_`",
  }),
  noFolder: defineProblem({
    says: "the folder `{name}` does not exist in {folder}",
    means: "`functions`, `only`, `exclude` or the configuration file has a function without a folder.",
    remedy: "Create the folder, or remove the name",
  }),
  unusableSource: defineProblem({
    says: "the function `{name}` cannot be deployed: {fault}",
    means: "The source of a function cannot be deployed, for example because it has no entrypoint.",
    remedy: "Correct the source. For shared code, begin the folder's name with `_`",
  }),
  hasAlready: defineProblem({
    says: "The project {ref} already has {names}. Nothing was changed. {remedy}.",
    means: "The set declares functions that someone else has deployed.",
    remedy: NAMES_ADVICE,
  }),
  inheritedChanged: defineProblem({
    says: "The branch came with {names}, which the folder does not have, and someone has changed since. They were not deleted. {remedy}.",
    means:
      "Warning. The create of a set deletes what the branch came with and the folder does not have, but only what nobody has changed.",
    remedy: "Leave them to whoever changed them. If nobody needs them, delete them with the platform's tool",
  }),
  notDeployed: defineProblem({
    says: "{names} failed; all other functions of the set are up to date: {answer}",
    means: "Some functions could not be deployed or deleted. The others are up to date.",
    remedy: "Correct the cause and run again. Only the failed functions are deployed again",
  }),
};
