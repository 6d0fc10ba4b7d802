import { z } from "zod";
import { answers, json, operation } from "../operation";
import { projectRef } from "../shared-fields";
import { keepsUnknownKeys } from "../unknown-keys";

export const updatePasswordBody = z.object({ password: z.string().min(4) });

export const updatePasswordResponse = z.object({ message: z.string() });

const timeSpan = z.string().regex(/^(-?[0-9]+(?:\.[0-9]+)?)(us|ms|s|min|h|d)?$/);

/** Every setting, all optional: an override that is not set is absent. */
const settings = {
  effective_cache_size: z.string().optional(),
  logical_decoding_work_mem: z.string().optional(),
  maintenance_work_mem: z.string().optional(),
  track_activity_query_size: z.string().optional(),
  max_connections: z.int().min(1).max(262143).optional(),
  max_locks_per_transaction: z.int().min(10).max(2147483640).optional(),
  max_parallel_maintenance_workers: z.int().min(0).max(1024).optional(),
  max_parallel_workers: z.int().min(0).max(1024).optional(),
  max_parallel_workers_per_gather: z.int().min(0).max(1024).optional(),
  max_replication_slots: z.int().optional(),
  max_slot_wal_keep_size: z.string().optional(),
  max_standby_archive_delay: z.string().optional(),
  max_standby_streaming_delay: z.string().optional(),
  max_wal_size: z.string().optional(),
  max_wal_senders: z.int().optional(),
  max_worker_processes: z.int().min(0).max(262143).optional(),
  session_replication_role: z.enum(["origin", "replica", "local"]).optional(),
  shared_buffers: z.string().optional(),
  statement_timeout: timeSpan.optional(),
  track_commit_timestamp: z.boolean().optional(),
  wal_keep_size: z.string().optional(),
  wal_sender_timeout: timeSpan.optional(),
  work_mem: z.string().optional(),
  checkpoint_timeout: timeSpan.optional(),
  hot_standby_feedback: z.boolean().optional(),
};

export const postgresConfigResponse = z.object(settings);

/** Replaces all overrides, those included that only the running service knows (service, Postgres settings). */
export const updatePostgresConfigBody = keepsUnknownKeys(
  z.object({ ...settings, restart_database: z.boolean().optional() }),
);

/** `PATCH /v1/projects/{ref}/database/password` */
export const updateDatabasePassword = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/database/password",
  params: z.object({ ref: projectRef }),
  body: json(updatePasswordBody),
  success: answers(200, updatePasswordResponse),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_write"]],
  changedPermissions: [["database_config_write"]],
});

/** `GET /v1/projects/{ref}/config/database/postgres` */
export const getPostgresConfig = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/database/postgres",
  params: z.object({ ref: projectRef }),
  success: answers(200, postgresConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_config_read"]],
});

/** `PUT /v1/projects/{ref}/config/database/postgres` */
export const updatePostgresConfig = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/config/database/postgres",
  params: z.object({ ref: projectRef }),
  body: json(updatePostgresConfigBody),
  success: answers(200, postgresConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_config_write"]],
});

export const databaseOperations = { updateDatabasePassword, getPostgresConfig, updatePostgresConfig };
