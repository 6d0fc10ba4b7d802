import { z } from "zod";
import { answers, operation } from "../../operation";
import { projectRef } from "../../shared-fields";
import { authConfigResponse } from "../../auth-config-response";
import { postgresConfigResponse } from "../database";
import { newerPostgresSettings } from "./postgres-settings";

const enabled = z.object({ enabled: z.boolean() });
const count = z.int();
const cidrs = z.array(z.object({ address: z.string(), type: z.enum(["v4", "v6"]) }));

const {
  "cron.log_statement": cron_log_statement,
  "pg_net.batch_size": pg_net_batch_size,
  "pg_stat_statements.max": pg_stat_statements_max,
  ...newerSettings
} = newerPostgresSettings.shape;

const database = z.object({
  major_version: z.int(),
  ssl_enforced: z.boolean(),
  network_restrictions: z.object({
    entitlement: z.enum(["disallowed", "allowed"]),
    status: z.enum(["stored", "applied"]),
    allowed_cidrs: cidrs,
    pending_allowed_cidrs: cidrs.optional(),
    pending_requested_at: z.string().optional(),
    updated_at: z.string().optional(),
    applied_at: z.string().optional(),
  }),
  /** Overrides only; what has a dot in its name has `_` here. */
  postgres_settings: z.object({
    ...postgresConfigResponse.shape,
    ...newerSettings,
    cron_log_statement,
    pg_net_batch_size,
    pg_stat_statements_max,
  }),
});

const pooler = z.object({
  pool_mode: z.enum(["transaction", "session", "statement"]),
  ignore_startup_parameters: z.string(),
  server_idle_timeout: count,
  server_lifetime: count,
  query_wait_timeout: count,
  reserve_pool_size: count,
  default_pool_size: count,
  max_client_conn: count,
});

const api = z.object({
  db_schema: z.string(),
  db_extra_search_path: z.string(),
  max_rows: count,
  db_pool_acquisition_timeout: count,
  db_pool_max_lifetime: z.int().min(0).max(3600),
  db_pool_max_idletime: z.int().min(0).max(60),
  db_pool: count.nullable(),
});

const realtime = z.object({
  private_only: z.boolean(),
  max_concurrent_users: count,
  max_events_per_second: count,
  max_bytes_per_second: count,
  max_channels_per_client: count,
  max_joins_per_second: count,
  max_presence_events_per_second: count,
  max_payload_size_in_kb: count,
  presence_enabled: z.boolean(),
  suspend: z.boolean(),
  connection_pool: count,
  postgres_changes_pool: count.nullable(),
});

const storage = z.object({
  file_size_limit: count,
  features: z.object({
    image_transformation: enabled,
    s3_protocol: enabled,
    purge_cache: enabled,
    iceberg_catalog: enabled.extend({ max_namespaces: count, max_tables: count, max_catalogs: count }),
    vector_buckets: enabled.extend({ max_buckets: count, max_indexes: count }),
  }),
  capabilities: z.object({
    list_v2: z.boolean(),
    iceberg_catalog: z.boolean(),
    object_versioning: z.boolean(),
  }),
  upstream_target: z.enum(["main", "canary"]),
  migration_version: z.string().nullable(),
});

export const projectConfigResponse = z.object({
  data: z.object({
    type: z.literal("project_config"),
    id: z.string(),
    attributes: z.object({
      database,
      pooler,
      auth: z.looseObject(authConfigResponse.partial().shape),
      api,
      realtime,
      storage,
    }),
  }),
});

/** `GET /v2/projects/{ref}/config` */
export const getProjectConfig = operation({
  method: "GET",
  path: "/v2/projects/{ref}/config",
  params: z.object({ ref: projectRef }),
  success: answers(200, projectConfigResponse),
  errors: [401, 403, 429],
  permissions: [
    [
      "database_config_read",
      "database_read",
      "database_ssl_config_read",
      "database_network_restrictions_read",
      "auth_config_read",
      "data_api_config_read",
      "realtime_config_read",
      "storage_config_read",
    ],
  ],
  stability: ["alpha"],
});

export const projectConfigOperations = { getProjectConfig };
