import { z } from "zod";
import { answers, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const restLayerConfigWithJWTSecretResponse = z.object({
  db_schema: z.string(),
  max_rows: z.int(),
  db_extra_search_path: z.string(),
  db_pool: z.int().nullable(),
  jwt_secret: z.string().optional(),
});

export const updateRestLayerConfigBody = z.object({
  db_extra_search_path: z.string().optional(),
  db_schema: z.string().optional(),
  max_rows: z.int().min(0).max(1000000).optional(),
  db_pool: z.int().min(0).max(1000).optional(),
});

export const restLayerConfigResponse = z.object({
  db_schema: z.string(),
  max_rows: z.int(),
  db_extra_search_path: z.string(),
  db_pool: z.int().nullable(),
});

/** `GET /v1/projects/{ref}/rest-layer` */
export const getRestLayerConfig = operation({
  method: "GET",
  path: "/v1/projects/{ref}/rest-layer",
  params: z.object({ ref: projectRef }),
  success: answers(200, restLayerConfigWithJWTSecretResponse),
  errors: [401, 403, 429, 500],
  scope: "rest:read",
  permissions: [["data_api_config_read"]],
  changedPermissions: [["data_api_config_read"], ["data_api_config_read", "data_api_config_secret_read"]],
});

/** `PATCH /v1/projects/{ref}/rest-layer` */
export const updateRestLayerConfig = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/rest-layer",
  params: z.object({ ref: projectRef }),
  body: json(updateRestLayerConfigBody),
  success: answers(200, restLayerConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "rest:write",
  permissions: [["data_api_config_write"]],
});

export const restLayerOperations = { getRestLayerConfig, updateRestLayerConfig };
