import { z } from "zod";
import { answers, json, operation } from "../../operation";
import { projectRef } from "../../shared-fields";
import { keepsUnknownKeys } from "../../unknown-keys";
import { postgresConfigResponse, updatePostgresConfigBody } from "../database";

const timeSpan = z.string().regex(/^(-?[0-9]+(?:\.[0-9]+)?)(us|ms|s|min|h|d)?$/);

/** What the documents of 2026-06 do not list. */
export const newerPostgresSettings = z
  .object({
    autovacuum_max_workers: z.int().min(1).max(262143),
    autovacuum_work_mem: z.string(),
    "cron.log_statement": z.boolean(),
    log_autovacuum_min_duration: timeSpan,
    log_checkpoints: z.boolean(),
    log_connections: z.boolean(),
    log_disconnections: z.boolean(),
    log_duration: z.boolean(),
    log_lock_waits: z.boolean(),
    log_recovery_conflict_waits: z.boolean(),
    log_replication_commands: z.boolean(),
    log_startup_progress_interval: timeSpan,
    log_temp_files: z.string(),
    max_logical_replication_workers: z.int().min(0).max(262143),
    max_sync_workers_per_subscription: z.int().min(0).max(262143),
    "pg_net.batch_size": z.int().min(0).max(32767),
    "pg_stat_statements.max": z.int().min(100).max(45000),
  })
  .partial();

export const patchPostgresConfigBody = keepsUnknownKeys(
  updatePostgresConfigBody.extend(newerPostgresSettings.shape),
);

/**
 * `PATCH /v1/projects/{ref}/config/database/postgres`; the status of its success is not documented, and here that of the
 * `PUT`.
 */
export const patchPostgresConfig = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/config/database/postgres",
  params: z.object({ ref: projectRef }),
  body: json(patchPostgresConfigBody),
  success: answers(200, postgresConfigResponse.extend(newerPostgresSettings.shape)),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_config_write"]],
});

export const postgresSettingsOperations = { patchPostgresConfig };
