import { defineProblem } from "../../../../client/errors/problem";
import { LargeFile, UnreadableFile } from "../../../../core/regular-files";

/** What can go wrong where functions are deployed. */
export const edgeFunctionProblems = {
  quota: defineProblem({
    says: "The plan's quota of edge functions is used up{answer}. Nothing was deployed. {remedy}.",
    means: "The service answered 402.",
    remedy: "Delete unused functions or move the organization to a larger plan, then run again",
  }),
  mayBeOthers: defineProblem({
    says: "The outcome of the deploy of {slug} is unknown. The project {ref} now has a function {slug}, created by this deploy or by someone else. {remedy}.",
    means:
      "The function is new. The provider takes it over only if the service shows that it was created between the request and its answer.",
    remedy: "If it is yours, set `adopt: true` for the next run. If not, give yours another `slug`",
  }),
  refusedAsTooLarge: defineProblem({
    says: "The service refused the source of {slug} as too large ({size} MB): it accepts 2 MB and refuses 8 MB. {remedy}.",
    means: "The service answered 413. Its exact limit is unknown.",
    remedy: "Exclude unneeded files with a .funcignore file, or import large modules from a registry",
  }),
  staticFilesMissing: defineProblem({
    says: "{slug}: `staticPatterns` uploads files, but the service does not give them to a function that is deployed by the API, so reading them fails at run time. {remedy}.",
    means: "Warning of a deploy with `staticPatterns`.",
    remedy: "Import the contents as a module, or read them from storage",
  }),
  deployLost: defineProblem({
    says: "The service answered the deploy of {slug} to the project {ref} with success, twice, but does not list it. {remedy}.",
    means:
      "The service loses deploys of one project that overlap. A run sends one after the other; another run or another client deployed at the same time.",
    remedy: "Wait until nobody else deploys functions of the project, then run `pulumi up` again",
  }),
  changeLost: defineProblem({
    says: "The service answered the change of {slug} in the project {ref} with success, twice, but its listing does not show it. {remedy}.",
    means:
      "The service loses writes of one project's functions that overlap. A run sends one after the other; another run or another client deployed at the same time.",
    remedy: "Wait until nobody else deploys functions of the project, then run `pulumi up` again",
  }),
  deleteLost: defineProblem({
    says: "The service answered the deletion of {slug} from the project {ref} with success, twice, but still lists it. {remedy}.",
    means:
      "The service loses deletes that overlap with deploys of the same project. A run sends one after the other; another run or another client deployed at the same time.",
    remedy: "Wait until nobody else deploys functions of the project, then run the same command again",
  }),
  unparsed: defineProblem({
    says: "{module} cannot be parsed: {reason}.{others} {remedy}.",
    means:
      "A module that the entrypoint needs is not valid TypeScript or JavaScript, so the function could not start. If the function is deployed with this source already, it is only a warning.",
    remedy:
      "Correct the module. If its syntax is newer than this provider, list the module in `allowUnparsed`; files outside of the function's folder that it imports are then not uploaded, unless `staticPatterns` names them",
  }),
  distantPackage: defineProblem({
    says: "Only {manifest}, which is not beside the entrypoint, knows {names}, so it is uploaded with the function. {remedy}.",
    means:
      "Warning. A module imports a package by a name that no import map has. The platform's tool reads the `package.json` beside the entrypoint only.",
    remedy: "Add the names to `imports` in a deno.json of the function or beside all functions",
  }),
  sourceTooLarge: defineProblem({
    says: "The source is larger than 20 MiB and cannot be deployed.{advice}",
    means: "The service accepts no larger upload.",
    remedy: "Exclude unneeded files with a .funcignore file",
  }),
};

/** A source that cannot be deployed; `property` is the input that names it. */
export class SourceFault extends Error {
  constructor(
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}

/** Reads files or folders that the input `property` names. */
export function explainUnreadable<T>(property: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LargeFile) throw createTooLargeFault(property);
    if (error instanceof UnreadableFile) throw new SourceFault(property, error.message);
    throw error;
  }
}

export function createTooLargeFault(property: string): SourceFault {
  const { message, remedy } = edgeFunctionProblems.sourceTooLarge;
  return new SourceFault(property, message({ advice: property === "files" ? "" : ` ${remedy}.` }));
}
