import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const createRoleBody = z.object({ read_only: z.boolean() });

export const createRoleResponse = z.object({
  role: identifier(z.string().min(1)),
  password: identifier(z.string().min(1)),
  ttl_seconds: z.int().min(1),
});

export const deleteRolesResponse = z.object({ message: z.literal("ok") });

export const readOnlyStatusResponse = z.object({
  enabled: z.boolean(),
  override_enabled: z.boolean(),
  override_active_until: z.string(),
});

/** `POST /v1/projects/{ref}/cli/login-role` */
export const createLoginRole = operation({
  method: "POST",
  path: "/v1/projects/{ref}/cli/login-role",
  params: z.object({ ref: projectRef }),
  body: json(createRoleBody),
  success: answers(201, createRoleResponse),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_write"]],
  stability: ["beta"],
});

/** `DELETE /v1/projects/{ref}/cli/login-role` */
export const deleteLoginRoles = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/cli/login-role",
  params: z.object({ ref: projectRef }),
  success: answers(200, deleteRolesResponse),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_write"]],
  stability: ["beta"],
});

/** `GET /v1/projects/{ref}/readonly` */
export const getReadonlyMode = operation({
  method: "GET",
  path: "/v1/projects/{ref}/readonly",
  params: z.object({ ref: projectRef }),
  success: answers(200, readOnlyStatusResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_readonly_config_read"]],
});

/** `POST /v1/projects/{ref}/readonly/temporary-disable` */
export const disableReadonlyMode = operation({
  method: "POST",
  path: "/v1/projects/{ref}/readonly/temporary-disable",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(201),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_readonly_config_write"]],
  idempotent: true,
});

/** `POST /v1/projects/{ref}/database/webhooks/enable` */
export const enableWebhooks = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/webhooks/enable",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(201, null),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_webhooks_config_write"]],
  idempotent: true,
  stability: ["beta"],
});

export const databaseAccessOperations = {
  createLoginRole,
  deleteLoginRoles,
  getReadonlyMode,
  disableReadonlyMode,
  enableWebhooks,
};
