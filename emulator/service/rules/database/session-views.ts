import type { Database } from "../../../postgres/databases/databases";
import type { RunningStatement } from "../../world/running-statements";

const VIEWS = /\bpg_(?:stat_activity|locks)\b/i;

/** Whether `sql` looks at what other sessions do. */
export function looksAtSessions(sql: string): boolean {
  return VIEWS.test(sql);
}

class ViewsRollback<T> extends Error {
  constructor(readonly value: T) {
    super("the views are as they were");
  }
}

/** Runs `work` where the views of sessions and locks show these statements as well; it may read only. */
export async function withSessions<T>(
  database: Database,
  statements: readonly RunningStatement[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(async () => {
      await database.asPlatform(() => database.exec(viewsWith(statements)));
      // The views go with the transaction.
      throw new ViewsRollback(await work());
    });
  } catch (error) {
    if (error instanceof ViewsRollback) return error.value as T;
    throw error;
  }
}

/** A view of the same name and columns over the real one. */
function viewsWith(statements: readonly RunningStatement[]): string {
  const activity = statements.map(({ sql }, index) => ({ pid: FIRST_PID + index, ...ACTIVE, query: sql }));
  const locks = statements.flatMap(({ lockKey }, index) =>
    lockKey === undefined ? [] : [lockRow(FIRST_PID + index, lockKey)],
  );
  const rows = (view: string, values: string): string =>
    `select r.* from pg_catalog.jsonb_populate_recordset(null::pg_catalog.${view}, ${values}) r`;
  return [
    "set transaction read write",
    "set local allow_system_table_mods = on",
    ...["pg_stat_activity", "pg_locks"].map((view) => `alter view pg_catalog.${view} rename to ${view}_own`),
    `create view pg_catalog.pg_stat_activity as select * from pg_catalog.pg_stat_activity_own union all ${rows("pg_stat_activity_own", literal(activity))}`,
    `create view pg_catalog.pg_locks as select * from pg_catalog.pg_locks_own union all ${rows("pg_locks_own", `pg_catalog.jsonb_build_array(${locks.join(", ")})`)}`,
    "grant select on pg_catalog.pg_stat_activity, pg_catalog.pg_locks to public",
  ].join("; ");
}

const FIRST_PID = 1_000_000;
const ACTIVE = { usename: "postgres", state: "active", backend_type: "client backend" };

/** As Postgres shows an advisory lock of one key. */
function lockRow(pid: number, key: string): string {
  const half = (of: string): string => `((${of}) & 4294967295)`;
  const database =
    "(select oid::bigint from pg_catalog.pg_database where datname = pg_catalog.current_database())";
  return (
    `pg_catalog.jsonb_build_object('locktype', 'advisory', 'database', ${database}, 'pid', ${pid}, 'granted', true, ` +
    `'mode', 'ExclusiveLock', 'objsubid', 1, 'classid', ${half(`(${key})::bigint >> 32`)}, 'objid', ${half(`(${key})::bigint`)})`
  );
}

function literal(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;
}
