/** One statement of a difference. */
export interface Change {
  readonly verb: "create" | "alter" | "drop" | "grant" | "comment";
  /** Key of the object that it concerns. */
  readonly key: string;
  readonly sql: string;
}
