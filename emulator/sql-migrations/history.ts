import { historySchema } from "../sql/copied-database";
import type { Database } from "../sql/databases";

/** One row of a database's history of migrations. */
export interface Migration {
  readonly version: string;
  readonly name: string | null;
  readonly statements: readonly string[];
  readonly rollback: readonly string[];
  readonly createdBy: string | null;
  readonly idempotencyKey: string | null;
}

const table = `${historySchema}.schema_migrations`;

/** The history, oldest first. It is a table of the database, so that copies carry it and SQL reads it. */
export async function readHistory(database: Database): Promise<Migration[]> {
  const found = await database.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [
    table,
  ]);
  if (found.rows[0]?.exists !== true) return [];
  const { rows } = await database.query<Migration>(
    `select version, name, coalesce(statements, '{}') as statements, coalesce(rollback, '{}') as rollback,
       created_by as "createdBy", idempotency_key as "idempotencyKey" from ${table}`,
  );
  return rows.sort((left, right) => compareVersions(left.version, right.version));
}

/** Adds a migration, or overwrites the one of the same version. */
export async function writeMigration(database: Database, migration: Migration): Promise<void> {
  await database.exec(
    `create schema if not exists ${historySchema};
     create table if not exists ${table} (version text primary key, name text, statements text[], rollback text[],
       created_by text, idempotency_key text unique)`,
  );
  await database.query(
    `insert into ${table} (version, name, statements, rollback, created_by, idempotency_key)
     values ($1, $2, $3, $4, $5, $6) on conflict (version) do update set name = excluded.name,
       statements = excluded.statements, rollback = excluded.rollback, created_by = excluded.created_by,
       idempotency_key = excluded.idempotency_key`,
    [
      migration.version,
      migration.name,
      migration.statements,
      migration.rollback,
      migration.createdBy,
      migration.idempotencyKey,
    ],
  );
}

export async function removeMigration(database: Database, version: string): Promise<void> {
  await database.query(`delete from ${table} where version = $1`, [version]);
}

/** Runs what a migration says and records it; the caller opens the transaction. */
export async function applyAndRecord(
  database: Database,
  migration: Migration,
  script: string,
): Promise<void> {
  await database.exec(script);
  // The script may have become a role that must not write the history.
  await database.exec("reset session authorization; reset role");
  await writeMigration(database, migration);
}

/** By number: versions are digits of any length. */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [left.replace(/^0+/, ""), right.replace(/^0+/, "")];
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** The time as `YYYYMMDDHHMMSS`, and after every version that is there. */
export function nextVersion(now: number, history: readonly Migration[]): string {
  const version = timestamp(now);
  const newest = history.at(-1)?.version;
  if (newest === undefined || compareVersions(newest, version) < 0) return version;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(newest)?.map(Number) ?? [];
  const at = Date.UTC(year ?? NaN, (month ?? NaN) - 1, day, hour, minute, second);
  // What is no time, somebody wrote into the table: counting on is always later.
  const isTime = !Number.isNaN(at) && timestamp(at) === newest;
  return isTime ? timestamp(at + 1_000) : String(BigInt(newest) + 1n);
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/\D/g, "").slice(0, 14);
}
