import type { Database } from "../databases/databases";

/** One row of a database's history of migrations. */
export interface MigrationHistoryRow {
  readonly version: string;
  readonly name: string | null;
  readonly statements: readonly string[];
  readonly rollback: readonly string[];
  readonly createdBy: string | null;
  readonly idempotencyKey: string | null;
}

const schemaIn = ({ names }: Database): string => `"${names("schemas", "svc_migrations")}"`;
const tableIn = (database: Database): string => `${schemaIn(database)}.schema_migrations`;

/**
 * The history, oldest first. It is a table of the database, so that copies carry it and SQL reads it; who made it by SQL
 * may have left out the newer columns.
 */
export async function readHistory(database: Database): Promise<MigrationHistoryRow[]> {
  const table = tableIn(database);
  const found = await database.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [
    table,
  ]);
  if (found.rows[0]?.exists !== true) return [];
  const { rows } = await database.query<MigrationHistoryRow>(
    `select version, name, coalesce(statements, '{}') as statements,
       coalesce((select array_agg(r.text order by r.nth) from jsonb_array_elements_text(
         case jsonb_typeof(to_jsonb(h) -> 'rollback') when 'array' then to_jsonb(h) -> 'rollback' else '[]' end)
         with ordinality as r(text, nth)), '{}') as rollback,
       to_jsonb(h) ->> 'created_by' as "createdBy", to_jsonb(h) ->> 'idempotency_key' as "idempotencyKey"
     from ${table} h`,
  );
  return rows.sort((left, right) => inOrder(left.version, right.version));
}

/** Adds a migration, or overwrites the one of the same version. */
export async function writeMigration(database: Database, migration: MigrationHistoryRow): Promise<void> {
  const table = tableIn(database);
  await database.exec(
    `create schema if not exists ${schemaIn(database)};
     create table if not exists ${table} (version text primary key, statements text[], name text);
     alter table ${table} add column if not exists created_by text,
       add column if not exists idempotency_key text unique, add column if not exists rollback text[]`,
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
  await database.query(`delete from ${tableIn(database)} where version = $1`, [version]);
}

/** Runs what a migration says and records it; the caller opens the transaction. */
export async function applyAndRecord(
  database: Database,
  migration: MigrationHistoryRow,
  script: string,
): Promise<void> {
  await database.exec(script);
  // The script may have become a role that must not write the history.
  await database.exec("reset session authorization; reset role");
  await writeMigration(database, migration);
}

/** By the bytes of their texts, as the files of migrations are ordered. Nobody documents it. */
export function inOrder(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** By number: versions are digits of any length. */
function compareNumbers(left: string, right: string): number {
  const [one, other] = [left.replace(/^0+/, ""), right.replace(/^0+/, "")];
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** The time as `YYYYMMDDHHMMSS`, and after every version that is there. */
export function nextVersion(now: number, history: readonly MigrationHistoryRow[]): string {
  const version = timestamp(now);
  const newest = history
    .map((migration) => migration.version)
    .sort(compareNumbers)
    .at(-1);
  if (newest === undefined || compareNumbers(newest, version) < 0) return version;
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
