import { LargeFile, UnreadableFile } from "../../../../define/regular-files";
import { edgeFunctionProblems } from "./problems";

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
