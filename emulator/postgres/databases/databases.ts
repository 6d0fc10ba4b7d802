import type { DatabaseNames } from "../sql/platform/spelling";

/** What one statement answers; the engine's own type needs declarations that users' programs lack. */
export interface Results<Row> {
  readonly rows: Row[];
  /** The columns, with the ids of their types in the catalog. */
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/**
 * One running database, as `postgres`, who may do what the service lets its users do. Rows hold JSON values only: whole numbers beyond 2^53 and `numeric`
 * are text, times are as Postgres spells them, bytes are `\x…`. A fault is a `DatabaseError`.
 */
export interface Database {
  /** How this installation names what the platform has in it. */
  readonly names: DatabaseNames;
  /** Runs one statement. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Results<Row>>;
  /** Runs any number of statements, in one transaction unless they say otherwise. */
  exec(sql: string): Promise<Results<Record<string, unknown>>[]>;
  /** Commits when `work` succeeds, else takes everything back. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Hands messages of Postgres' protocol to the database as they are, and returns its answers. `sql` is what they run. The
   * messages must not leave the database waiting for the client.
   */
  converse(messages: Uint8Array, sql: readonly string[]): Promise<Uint8Array>;
  /** Turns the session into one of another role. */
  logInAs(role: string): Promise<void>;
  /** Lets `work` do what only the platform may. */
  asPlatform<T>(work: () => Promise<T>): Promise<T>;
}

/** Databases that were kept elsewhere. */
export interface KeptDatabases {
  readonly refs: readonly string[];
  /** Writes the files of one into a folder, which it makes. */
  fill(ref: string, folder: string): void;
}

/**
 * The projects' databases, one embedded Postgres each. A database starts with its first use and may be put to sleep when
 * others are used; what concerns one database runs one after the other, in the order in which it was asked for.
 */
export interface Databases {
  /**
   * Runs `work` alone on the database of a project or of a branch's preview project, in a session that is fresh: what it
   * leaves open is taken back. `work` must not use another database: gather from one, then go to the next.
   */
  use<T>(ref: string, work: (database: Database) => Promise<T>): Promise<T>;
  /** Whether somebody waits for what the present user of the database has. */
  isAwaited(ref: string): boolean;
  /** Whether the database was ever used: one that was not is as a new project's. */
  isUsed(ref: string): boolean;
  /** Lets the database of `to` begin as `from` is after all work asked for so far, with its rows only `withData`. */
  copy(from: string, to: string, options: { readonly withData: boolean }): void;
  /** Forgets the database: the next use starts with a new project's. */
  drop(ref: string): void;
  /** Forgets them all. */
  dropAll(): void;
  /** Forgets them all, and lets those of `kept` begin with their next use as it has them. */
  replace(kept: KeptDatabases): void;
  /** Shows the folder of each used database, at rest and as it is after all work asked for so far. */
  visit(show: (ref: string, folder: string) => void): Promise<void>;
  close(): Promise<void>;
}
