/** A look at the catalog of a database, for one kind of fault. */
export interface SqlLint<Name extends string = string> {
  readonly name: Name;
  readonly title: string;
  readonly level: "ERROR" | "WARN" | "INFO";
  readonly description: string;
  readonly remediation: string;
  /**
   * Gives one row per `Finding`. Beside the catalog it can ask `own` and `exposed` (oid and name of the schemas that are
   * the user's, and of those that the REST layer offers), `members` (classid and objid of what extensions brought) and
   * `reached` (oid of each relation that `anon` or `authenticated` may read).
   */
  readonly sql: string;
}

/** One thing that a lint found. */
export interface Finding {
  readonly schema: string;
  /** Name of the table, view, function or extension. */
  readonly name: string;
  readonly type: "table" | "view" | "function" | "extension";
  readonly detail: string;
  /** Tells it from other findings about the same thing. */
  readonly part?: string;
  readonly fkey_name?: string;
  readonly fkey_columns?: readonly number[];
}
