import { newerPostgresSettings } from "../../../../../spec/operations/current/postgres-settings";
import type { Database } from "../../../../postgres/databases/databases";
import type { PostgresOverrides, ProjectRecord } from "../../../world/records/project";

/** What Postgres takes up only when it starts. */
const needingRestart: ReadonlySet<string> = new Set<
  keyof PostgresOverrides | keyof typeof newerPostgresSettings.shape
>([
  "autovacuum_max_workers",
  "cron.log_statement",
  "max_logical_replication_workers",
  "pg_stat_statements.max",
  "max_connections",
  "max_locks_per_transaction",
  "max_replication_slots",
  "max_wal_senders",
  "max_worker_processes",
  "shared_buffers",
  "track_activity_query_size",
  "track_commit_timestamp",
]);

/** The settings that a database that runs with `running` takes up only when it starts again. */
export function restartsFor(running: PostgresOverrides, wanted: PostgresOverrides): string[] {
  return [...needingRestart].filter((name) => Reflect.get(running, name) !== Reflect.get(wanted, name));
}

/**
 * Shows in `pg_settings` which settings wait for a restart: the embedded Postgres is not given the overrides. A temporary view
 * of the session is found before the one of the catalog.
 */
export async function showPendingRestarts(database: Database, project: ProjectRecord): Promise<void> {
  const pending = restartsFor(project.startedOverrides, project.postgresOverrides);
  if (pending.length === 0) return;
  const list = pending.map((name) => `'${name}'`).join(", ");
  await database.asPlatform(async () => {
    await database.exec(`create temporary view pg_settings as
      select name, setting, unit, category, short_desc, extra_desc, context, vartype, source, min_val, max_val, enumvals,
        boot_val, reset_val, sourcefile, sourceline, name in (${list}) as pending_restart
      from pg_catalog.pg_settings;
      grant select on pg_temp.pg_settings to public`);
  });
}
