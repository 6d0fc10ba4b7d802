import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersOfNamed, json, operation } from "../operation";
import { projectRef, timestamp } from "../shared-fields";

const apiKeyFields = {
  api_key: z.string().nullable().optional(),
  id: z.string().nullable().optional(),
  type: z.enum(["legacy", "publishable", "secret"]).nullable().optional(),
  prefix: z.string().nullable().optional(),
  name: z.string(),
  description: z.string().nullable().optional(),
  hash: z.string().nullable().optional(),
  secret_jwt_template: z.record(z.string(), z.unknown()).nullable().optional(),
  inserted_at: timestamp.nullable().optional(),
  updated_at: timestamp.nullable().optional(),
};

/** The JWT-based keys of old have no `id`: what tells them apart is the name. */
export const apiKeyResponse = z.object({ ...apiKeyFields, name: identifier(apiKeyFields.name) });

/** The name was the caller's; a key that was made is called by its `id` from then on. */
export const createdApiKeyResponse = z.object({ ...apiKeyFields, id: identifier(apiKeyFields.id) });

export const createApiKeyBody = z.object({
  type: z.enum(["publishable", "secret"]),
  name: z
    .string()
    .min(4)
    .max(64)
    .regex(/^[a-z_][a-z0-9_]+$/),
  description: z.string().nullable().optional(),
  secret_jwt_template: z.record(z.string(), z.unknown()).nullable().optional(),
});

export const updateApiKeyBody = z.object({
  name: z
    .string()
    .min(4)
    .max(64)
    .regex(/^[a-z_][a-z0-9_]+$/)
    .optional(),
  description: z.string().nullable().optional(),
  secret_jwt_template: z.record(z.string(), z.unknown()).nullable().optional(),
});

/** `GET /v1/projects/{ref}/api-keys` */
export const listApiKeys = operation({
  method: "GET",
  path: "/v1/projects/{ref}/api-keys",
  params: z.object({ ref: projectRef }),
  query: z.object({ reveal: z.boolean().optional() }),
  success: answers(200, z.array(apiKeyResponse)),
  errors: [401, 403, 429],
  scope: "secrets:read",
  permissions: [["api_gateway_keys_read"]],
  changedPermissions: [["api_gateway_keys_read"], ["api_gateway_keys_read", "api_gateway_keys_secret_read"]],
});

/** `POST /v1/projects/{ref}/api-keys` */
export const createApiKey = operation({
  method: "POST",
  path: "/v1/projects/{ref}/api-keys",
  params: z.object({ ref: projectRef }),
  query: z.object({ reveal: z.boolean().optional() }),
  body: json(createApiKeyBody),
  success: answers(201, createdApiKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["api_gateway_keys_write"]],
});

/** `GET /v1/projects/{ref}/api-keys/{id}` */
export const getApiKey = operation({
  method: "GET",
  path: "/v1/projects/{ref}/api-keys/{id}",
  params: z.object({ ref: projectRef, id: z.uuid() }),
  query: z.object({ reveal: z.boolean().optional() }),
  success: answers(200, apiKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:read",
  permissions: [["api_gateway_keys_read"]],
  changedPermissions: [["api_gateway_keys_read"], ["api_gateway_keys_read", "api_gateway_keys_secret_read"]],
});

/** `PATCH /v1/projects/{ref}/api-keys/{id}` */
export const updateApiKey = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/api-keys/{id}",
  params: z.object({ ref: projectRef, id: z.uuid() }),
  query: z.object({ reveal: z.boolean().optional() }),
  body: json(updateApiKeyBody),
  success: answersOfNamed(200, apiKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["api_gateway_keys_write"]],
});

/** `DELETE /v1/projects/{ref}/api-keys/{id}` */
export const deleteApiKey = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/api-keys/{id}",
  params: z.object({ ref: projectRef, id: z.uuid() }),
  query: z.object({
    reveal: z.boolean().optional(),
    was_compromised: z.boolean().optional(),
    reason: z.string().optional(),
  }),
  success: answersOfNamed(200, apiKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["api_gateway_keys_write"]],
});

export const legacyApiKeysResponse = z.object({ enabled: z.boolean() });

/** `GET /v1/projects/{ref}/api-keys/legacy` */
export const getLegacyApiKeys = operation({
  method: "GET",
  path: "/v1/projects/{ref}/api-keys/legacy",
  params: z.object({ ref: projectRef }),
  success: answers(200, legacyApiKeysResponse),
  errors: [401, 403, 429],
  scope: "secrets:read",
  permissions: [["api_gateway_keys_read"]],
});

/** `PUT /v1/projects/{ref}/api-keys/legacy` */
export const updateLegacyApiKeys = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/api-keys/legacy",
  params: z.object({ ref: projectRef }),
  query: z.object({ enabled: z.boolean() }),
  success: answers(200, legacyApiKeysResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["api_gateway_keys_write"]],
});

export const apiKeysOperations = {
  listApiKeys,
  createApiKey,
  getApiKey,
  updateApiKey,
  deleteApiKey,
  getLegacyApiKeys,
  updateLegacyApiKeys,
};
