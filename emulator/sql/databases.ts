import type { PGlite } from "@electric-sql/pglite";

/**
 * The projects' databases, one embedded Postgres each. A database starts with its first use and may be put to sleep when
 * others are used; what concerns one database runs one after the other, in the order in which it was asked for.
 */
export interface Databases {
  /** Runs `work` alone on the database of a project or of a branch's preview project. */
  use<T>(ref: string, work: (database: PGlite) => Promise<T>): Promise<T>;
  /** Whether the database was ever used: one that was not is as a new project's. */
  isUsed(ref: string): boolean;
  /** Lets the database of `to` begin as `from` is after all work asked for so far, with its rows only `withData`. */
  copy(from: string, to: string, options: { readonly withData: boolean }): void;
  /** Forgets the database: the next use starts with a new project's. */
  drop(ref: string): void;
  close(): Promise<void>;
}
