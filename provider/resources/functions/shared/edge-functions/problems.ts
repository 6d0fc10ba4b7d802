import { defineProblem } from "../../../../client/errors/problem";
import { LargeFile, UnreadableFile } from "../../../../define/regular-files";

/** What can go wrong where functions are deployed. */
export const edgeFunctionProblems = {
  quota: defineProblem({
    says: "The plan's quota of edge functions is used up, so nothing was deployed{answer}. {remedy}.",
    means: "402: the plan allows no more.",
    remedy: "Delete functions that are not needed, or move the organization to a larger plan, and run again",
  }),
  mayBeOthers: defineProblem({
    says: "The deploy of {slug} got no certain answer. The project {ref} has a function {slug} now, which this deploy may have made, or somebody else did. {remedy}.",
    means:
      "What is there was not there before. It is the set's only if the service shows that it was made between the request and its answer.",
    remedy: "If it is yours, set `adopt: true` for the next run; if not, remove it or rename yours",
  }),
  sourceTooLarge: defineProblem({
    says: "The source is larger than 20 MiB, which is too much to deploy.{advice}",
    means: "The service accepts no larger upload.",
    remedy: "Exclude what the function does not need by a .funcignore file",
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
export function readable<T>(property: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LargeFile) throw tooLarge(property);
    if (error instanceof UnreadableFile) throw new SourceFault(property, error.message);
    throw error;
  }
}

export function tooLarge(property: string): SourceFault {
  const { message, remedy } = edgeFunctionProblems.sourceTooLarge;
  return new SourceFault(property, message({ advice: property === "files" ? "" : ` ${remedy}.` }));
}
