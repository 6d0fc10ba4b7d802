/** An object that a source declares, as the program is to have it. */
export interface DeclaredObject {
  /** Of the catalog: `AuthConfig`. */
  readonly type: string;
  /** Absent where the type cannot be imported, or the source does not say enough. */
  readonly importId?: string;
  /** The inputs that tell it from others of its type. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** The inputs that are managed, with the source's values: a `ConfigValue` where the value is not to stand in the program. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Where it is declared: an address, or a section of a file with its line. */
  readonly source: string;
  readonly customTimeouts?: Readonly<Record<string, string>>;
}

/** What a source declares of one project or branch that is a stack of its own. */
export interface DeclaredStack {
  readonly name: string;
  readonly projectRef: string;
  readonly objects: readonly DeclaredObject[];
  readonly notes: readonly string[];
}

export interface Declared {
  readonly objects: readonly DeclaredObject[];
  readonly stacks?: readonly DeclaredStack[];
  /** What is not taken over and why, and what the user has to know; no secret is in them. */
  readonly notes: readonly string[];
}
