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

const NAME = nameOfTable({ name: "migrations" });

/**
 * The rows once more, in the table's comment: a branch that is copied without data has the schema, comments included, and
 * no row (service, Branches). They count while the table is empty.
 */
const COMMENT = `obj_description('${NAME}'::regclass)`;
const COMMENTED =
  `select version, name, hash from jsonb_to_recordset((case when ${COMMENT} like '[%' then ${COMMENT} else '[]' end)::jsonb) ` +
  `as commented(version text, name text, hash text) where not exists (select from ${NAME})`;
const ROWS = `select jsonb_agg(jsonb_build_object('version', version, 'name', name, 'hash', hash) order by version) from ${NAME}`;
const COMMENT_AGAIN = `do $$ begin execute format('comment on table ${NAME} is %L', coalesce((${ROWS}), '[]')); end $$;`;

const TABLE: RecordTable = {
  name: "migrations",
  columns:
    "version text primary key, name text not null, hash text not null, applied_at timestamptz not null default now()",
  selected: "version, name, hash",
  key: "version",
  besides: COMMENTED,
  closed: (ref, answer) => migrationProblems.queryClosed.message({ ref, answer }),
};

/** All runs that write the history wait for each other, until the end of their transaction. */
const LOCK = `select ${lockOf(NAME)};`;
const PREPARED = `${LOCK} ${preparing(TABLE)} insert into ${NAME} (version, name, hash) ${COMMENTED};`;

/** A history in a table of its own, by the query endpoint (service, SQL). The row's key lets no other run apply a migration again. */
export function queryHistory(ctx: Context, ref: string): MigrationHistory {
  const records = databaseRecords(ctx, ref, TABLE);
  return {
    via: "query",
    list: async () => (await records.list()).map(recordedAs),
    detailsOf: ({ sha256 }) => Promise.resolve({ sha256 }),
    async apply(migration) {
      // On one line with the migration's first, so that the database tells its lines.
      await records.change(
        `${PREPARED} ${inserted(migration)}; ${COMMENT_AGAIN} ${migration.query}`,
        has(migration),
      );
    },
    async record(migration) {
      const recording = `${PREPARED} ${inserted(migration)} on conflict do nothing; ${COMMENT_AGAIN}`;
      await records.change(recording, has(migration));
    },
    // The program alone has it.
    keepRollback: () => Promise.resolve(),
    async rollBack(migrations, _recorded, tell) {
      for (const migration of migrations) {
        const { version, rollback = "" } = migration;
        const isGone = (rows: readonly Row[]): boolean =>
          !rows.map(recordedAs).some((row) => isSame(row, { version }));
        const removal = `${PREPARED} ${removing(TABLE, { version })} ${COMMENT_AGAIN} ${rollback}`;
        await records.change(removal, isGone);
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
  return `insert into ${NAME} (version, name, hash) values (${[version, name, sha256].map(literal).join(", ")})`;
}
