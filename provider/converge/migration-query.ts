import type { Context } from "../define/context";
import {
  databaseRecords,
  literal,
  lockOf,
  nameOfTable,
  preparing,
  removing,
  type RecordTable,
  type Row,
} from "./database-records";
import { isSame, type Migration, type MigrationHistory, type Recorded } from "./migration-history";
import { migrationProblems } from "./migration-problems";

const TABLE: RecordTable = {
  name: "migrations",
  columns:
    "version text primary key, name text not null, hash text not null, applied_at timestamptz not null default now()",
  selected: "version, name, hash",
  key: "version",
  closed: (ref, answer) => migrationProblems.queryClosed.message({ ref, answer }),
};

/** All runs that write the history wait for each other, until the end of their transaction. */
const LOCK = `select ${lockOf(nameOfTable(TABLE))};`;
const PREPARED = `${LOCK} ${preparing(TABLE)}`;

/** A history in a table of its own, by the query endpoint (service, SQL). The row's key lets no other run apply a migration again. */
export function queryHistory(ctx: Context, ref: string): MigrationHistory {
  const records = databaseRecords(ctx, ref, TABLE);
  return {
    via: "query",
    list: async () => (await records.list()).map(recordedAs),
    detailsOf: ({ sha256 }) => Promise.resolve({ sha256 }),
    async apply(migration) {
      // On one line with the migration's first, so that the database tells its lines.
      await records.change(`${PREPARED} ${inserted(migration)}; ${migration.query}`, has(migration));
    },
    async record(migration) {
      await records.change(`${PREPARED} ${inserted(migration)} on conflict do nothing`, has(migration));
    },
    // The program alone has it.
    keepRollback: () => Promise.resolve(),
    async rollBack(migrations, _recorded, tell) {
      for (const migration of migrations) {
        const { version, rollback = "" } = migration;
        const isGone = (rows: readonly Row[]): boolean =>
          !rows.map(recordedAs).some((row) => isSame(row, { version }));
        await records.change(`${LOCK} ${removing(TABLE, { version })} ${rollback}`, isGone);
        tell(migration);
      }
    },
  };
}

function recordedAs({ version, name, hash }: Row): Recorded {
  const position = String(version);
  return { version: position, name: String(name), sha256: String(hash), position };
}

function has(migration: Migration): (rows: readonly Row[]) => boolean {
  return (rows) =>
    rows.map(recordedAs).some((row) => isSame(row, migration) && row.sha256 === migration.sha256);
}

function inserted({ version, name, sha256 }: Migration): string {
  return `insert into ${nameOfTable(TABLE)} (version, name, hash) values (${[version, name, sha256].map(literal).join(", ")})`;
}
