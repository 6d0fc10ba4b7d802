/** An object that another tool's files declare, in the terms of this provider. */
export interface DeclaredObject {
  /** A type of the catalog, as `ApiKey`. */
  readonly type: string;
  /** Its import id, where the files or their state tell it. */
  readonly importId?: string;
  /** The inputs that tell the object from others of its type, as `{ projectRef, name }`. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** What the files declare, by the names of the type's inputs. A secret is left out. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Durations by step, as `{ create: "30m" }`. */
  readonly customTimeouts?: Readonly<Record<string, string>>;
  /** Its address in the files: `main.tf: management_settings.production`, `config.toml: [auth]`. */
  readonly source: string;
}

/** An environment that the files tell apart from the others, as a workspace or a remote. */
export interface DeclaredStack {
  readonly name: string;
  /** The project or branch that it configures. */
  readonly projectRef?: string;
  /** What it declares otherwise than `objects` of the whole. */
  readonly objects: readonly DeclaredObject[];
}

/** What the files of another tool say of a project: its objects, its environments, and what could not be taken over. */
export interface DeclaredElsewhere {
  readonly objects: readonly DeclaredObject[];
  readonly stacks?: readonly DeclaredStack[];
  /** What whoever imports should know, each a sentence without a secret. */
  readonly notes: readonly string[];
}
