import { z } from "zod";
import { identifier } from "../identifier";
import { answers, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const poolerConfigResponse = z.object({
  identifier: z.string(),
  // What tells the project's own database from its replicas.
  database_type: identifier(z.enum(["PRIMARY", "READ_REPLICA"])),
  is_using_scram_auth: z.boolean(),
  db_user: z.string(),
  db_host: z.string(),
  db_port: z.int(),
  db_name: z.string(),
  connection_string: z.string(),
  connectionString: z.string(),
  default_pool_size: z.int().nullable(),
  max_client_conn: z.int().nullable(),
  pool_mode: z.enum(["transaction", "session"]),
});

export const updatePoolerConfigBody = z.object({
  default_pool_size: z.int().min(0).max(3000).nullable().optional(),
  pool_mode: z.enum(["transaction", "session"]).optional(),
});

export const updatePoolerConfigResponse = z.object({
  default_pool_size: z.int().nullable(),
  pool_mode: z.string(),
});

export const legacyPoolerConfigResponse = z.object({
  default_pool_size: z.int().optional(),
  ignore_startup_parameters: z.string().optional(),
  max_client_conn: z.int().optional(),
  pool_mode: z.enum(["transaction", "session", "statement"]).optional(),
  connection_string: z.string().optional(),
  server_idle_timeout: z.int().optional(),
  server_lifetime: z.int().optional(),
  query_wait_timeout: z.int().optional(),
  reserve_pool_size: z.int().optional(),
});

/** `GET /v1/projects/{ref}/config/database/pooler` */
export const listPoolerConfigs = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/database/pooler",
  params: z.object({ ref: projectRef }),
  success: answers(200, z.array(poolerConfigResponse)),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_pooling_config_read"]],
});

/** `PATCH /v1/projects/{ref}/config/database/pooler` */
export const updatePoolerConfig = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/config/database/pooler",
  params: z.object({ ref: projectRef }),
  body: json(updatePoolerConfigBody),
  success: answers(200, updatePoolerConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_pooling_config_write"]],
});

/** `GET /v1/projects/{ref}/config/database/legacy-pooler` */
export const getLegacyPoolerConfig = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/database/legacy-pooler",
  params: z.object({ ref: projectRef }),
  success: answers(200, legacyPoolerConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_read"]],
});

export const poolerOperations = { listPoolerConfigs, updatePoolerConfig, getLegacyPoolerConfig };
