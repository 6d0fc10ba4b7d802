import { z } from "zod";
import { sha256 } from "../../../core/sha256";
import { toComparableSql, splitStatements, omitDumpLines } from "./sql";

/** How migrations are applied and recorded. */
export const migrationVia = z.enum(["migrations", "query"]).meta({
  id: "MigrationVia",
  description: "Endpoint that applies and records migrations.",
});

export type MigrationVia = z.infer<typeof migrationVia>;

export const DEFAULT_VIA: MigrationVia = "query";

/** How users read of the history, in texts of both resources. */
export const HISTORY_SENTENCE =
  "Both write the service's own history, the table `schema_migrations`, which the platform's tool, branches and merges use. Changing the endpoint applies nothing again.";

/** A migration as a program has it. */
export interface Migration {
  /** Digits, which are the migration's identity as they are written: `01` and `1` are two. */
  readonly version: string;
  readonly name: string;
  /** How messages call it: the file's name. */
  readonly label: string;
  readonly query: string;
  /** What takes it back. */
  readonly rollback: string | undefined;
  /** How messages call that; as the migration if absent. */
  readonly rollbackLabel?: string | undefined;
  /** Of the query, as `hashSql` makes it. */
  readonly sha256: string;
}

/** What names a migration: of a file, both parts of its name. */
export interface MigrationName {
  readonly version: string;
  readonly name?: string | undefined;
}

/** A migration with the hash of its query, as SQL without the lines for psql of a dump. */
export function createMigration(given: Omit<Migration, "sha256">): Migration {
  const { query, rollback } = given;
  return {
    ...given,
    query: omitDumpLines(query),
    rollback: rollback === undefined ? undefined : omitDumpLines(rollback),
    sha256: hashSql(query),
  };
}

/** The same for all texts that say the same, in lower-case hex. */
export function hashSql(query: string): string {
  return sha256(toComparableSql(query));
}

/** A row of a history. */
export interface HistoryRow {
  readonly version: string;
  readonly name: string | undefined;
  /** Of the query, where a program of ours wrote the row. */
  readonly sha256?: string | undefined;
  /** The program's version, where the endpoint wrote the row for it. */
  readonly forVersion?: string | undefined;
  /** Of its statements, as `hashStatements` makes it; undefined where that is not shown. */
  readonly content?: string | undefined;
}

/** What a history tells of a row beside that. */
export interface MigrationDetails extends HistoryRow {
  readonly query: string | undefined;
  readonly rollback: string | undefined;
}

/** What was applied to a database, and how more is. Every write may be repeated: it happens once. */
export interface MigrationHistory {
  readonly via: MigrationVia;
  list(): Promise<readonly HistoryRow[]>;
  /** Whether the list leaves out who wrote a row. */
  readonly tellsLittle: boolean;
  detailsOf(recorded: HistoryRow): Promise<MigrationDetails>;
  /** The SQL of rows by their versions; undefined for one that has none. */
  textsOf(rows: readonly HistoryRow[]): Promise<ReadonlyMap<string, string | undefined>>;
  /** Executes and records. */
  apply(migration: Migration): Promise<void>;
  /** Records, the latest first where they are not recorded at once, what is in the database already. */
  record(migrations: readonly Migration[]): Promise<void>;
  /** Records another way to take it back, where the history has one. */
  keepRollback(migration: AppliedMigration): Promise<void>;
  /** Takes back what was applied last, newest first; `tell` is told of each that is gone. */
  rollBack(
    migrations: readonly AppliedMigration[],
    recorded: readonly HistoryRow[],
    tell: (gone: Migration) => void,
  ): Promise<void>;
}

/** A migration with its rows of the history. */
export interface AppliedMigration {
  readonly migration: Migration;
  readonly rows: readonly HistoryRow[];
}

/** The order of the files' names by their bytes, as the service's tool applies them (service, Migrations). */
export function compareFiles(left: MigrationName, right: MigrationName): number {
  return Buffer.compare(Buffer.from(formatFileName(left)), Buffer.from(formatFileName(right)));
}

function formatFileName({ version, name = "" }: MigrationName): string {
  return `${version}_${name}.sql`;
}

/** Whether both are the same migration. */
export function isSameVersion(
  left: Pick<MigrationName, "version">,
  right: Pick<MigrationName, "version">,
): boolean {
  return left.version === right.version;
}

export function formatMigration({ version, name }: MigrationName): string {
  return name === undefined ? version : `${version}_${name}`;
}

/** What two splitters of one script have in common: a hash of all but blanks and semicolons. */
export function hashStatements(statements: readonly string[]): string {
  return sha256(statements.join("").replaceAll(/[ \t\r\n\f;]/g, ""));
}

/** Whether the listed hash shows that a row has what a migration says; where it does not, the SQL has to be compared. */
export function showsSameContent({ content }: HistoryRow, { query }: Pick<Migration, "query">): boolean {
  // Comments after the last statement belong to none.
  return content === hashStatements([query]) || content === hashStatements(splitStatements(query));
}

/** The statements of a migration, as its row has them: never none, as a merge applies what stands there. */
export function requireStatements(query: string): string[] {
  const statements = splitStatements(query);
  return statements.length === 0 ? [query.trim()] : statements;
}

/** The idempotency key lets a migration be applied once, whoever sends it (service, Migrations). */
export function formatIdempotencyKey(
  ref: string,
  { version, sha256 }: Pick<Migration, "version" | "sha256">,
): string {
  return `${ref}-${version}-${sha256}`;
}

const KEY = /^[a-z]{20}-(\d+)-([0-9a-f]{64})$/;

/** What a key of ours says of its migration. */
export function parseIdempotencyKey(
  key: string | null | undefined,
): Pick<Migration, "version" | "sha256"> | undefined {
  const [, version, hash] = KEY.exec(key ?? "") ?? [];
  return version === undefined || hash === undefined ? undefined : { version, sha256: hash };
}
