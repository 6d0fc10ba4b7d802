import { z } from "zod";
import { sha256 } from "./sha256";

/** How migrations are applied and recorded. */
export const migrationVia = z.enum(["migrations", "query"]).meta({
  id: "MigrationVia",
  description: "By which endpoint migrations are applied, and where they are recorded.",
});

export type MigrationVia = z.infer<typeof migrationVia>;

export const DEFAULT_VIA: MigrationVia = "migrations";

/** A migration as a program has it. */
export interface Migration {
  /** Digits; migrations are applied in the order of their versions. */
  readonly version: string;
  readonly name: string;
  /** How messages call it: the file's name. */
  readonly label: string;
  readonly query: string;
  /** What takes it back. */
  readonly rollback: string | undefined;
  /** Of the query, in lower-case hex. */
  readonly sha256: string;
}

/** A migration with the hash of its query. */
export function hashed(given: Omit<Migration, "sha256">): Migration {
  return { ...given, sha256: sha256(given.query) };
}

/** A migration as a history has it. */
export interface Recorded {
  readonly version: string;
  readonly name: string | undefined;
  readonly sha256: string | undefined;
  /** What the history itself orders it by. */
  readonly position: string;
}

/** What a history tells of a migration beside its name. */
export interface MigrationDetails {
  readonly sha256: string | undefined;
  readonly query?: string | undefined;
  readonly rollback?: string | undefined;
}

/** What was applied to a database, and how more is. Every write may be repeated: it happens once. */
export interface MigrationHistory {
  readonly via: MigrationVia;
  list(): Promise<readonly Recorded[]>;
  /** What was applied, as far as the history tells it. */
  detailsOf(recorded: Recorded): Promise<MigrationDetails>;
  /** Executes and records. */
  apply(migration: Migration): Promise<void>;
  /** Records what another history says was applied. */
  record(migration: Migration): Promise<void>;
  /** Records another way to take it back, where the history has one. */
  keepRollback(migration: Migration): Promise<void>;
  /** Takes back what was applied last, newest first; `tell` is told of each that is gone. */
  rollBack(
    migrations: readonly Migration[],
    recorded: readonly Recorded[],
    tell: (gone: Migration) => void,
  ): Promise<void>;
}

/** By number: versions are digits of any length. */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [withoutZeros(left), withoutZeros(right)];
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** Whether both are the same migration: by version. */
export function isSame(left: Pick<Recorded, "version">, right: Pick<Recorded, "version">): boolean {
  return withoutZeros(left.version) === withoutZeros(right.version);
}

function withoutZeros(version: string): string {
  return version.replace(/^0+/, "");
}
