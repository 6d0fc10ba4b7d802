/** What a Pulumi schema would lose or misread. */
export interface Fault {
  /** Where, as a path through the catalog or the schema. */
  readonly path: string;
  /** What is wrong, and what to do. */
  readonly message: string;
}

export function fault(path: string, message: string): Fault {
  return { path, message };
}
