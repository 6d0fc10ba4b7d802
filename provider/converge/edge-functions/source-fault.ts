/** A source that cannot be deployed; `property` is the input that names it. */
export class SourceFault extends Error {
  constructor(
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}

/** Runs file-system `work` on `path`, which the input `property` names. */
export function readable<T>(property: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SourceFault) throw error;
    const isMissing =
      typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
    const why = isMissing ? "does not exist" : `cannot be read (${String(error)})`;
    throw new SourceFault(property, `${path} ${why}.`);
  }
}
