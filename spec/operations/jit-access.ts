import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";
import { keepsUnknownKeys } from "../unknown-keys";

export const authorizeJitAccessBody = z.object({ role: z.string().min(1), rhost: z.string().min(1) });

const jitNetworks = z.object({
  allowed_cidrs: z.array(z.object({ cidr: z.string() })).optional(),
  allowed_cidrs_v6: z.array(z.object({ cidr: z.string() })).optional(),
});

/** Whether a project lets anybody in. */
export const jitState = z.enum(["enabled", "disabled", "unavailable"]);

/** A database role that a user may assume for a time and from some networks. */
export const jitRole = z.object({
  role: z.string().min(1),
  expires_at: z.number().optional(),
  allowed_networks: jitNetworks.optional(),
  /** Newer services take and show it (service, Newer fields). */
  branches_only: z.boolean().optional(),
});

export const jitAuthorizeAccessResponse = z.object({ user_id: z.uuid(), user_role: jitRole });

export const jitAccessResponse = z.object({ user_id: z.uuid(), user_roles: z.array(jitRole) });

/** Newer answers have the state in place of the user (service, Just-in-time access). */
export const jitStateResponse = jitAccessResponse.partial().extend({
  state: jitState.optional(),
  appliedSuccessfully: z.boolean().optional(),
  /** Why the state is `unavailable`. */
  unavailableReason: z.string().optional(),
});

/**
 * The user is null where somebody was invited. Newer answers show the address of each, and of an invitation its id and its end
 * (service, Just-in-time access).
 */
export const jitListedAccess = z.object({
  user_id: z.uuid().nullable(),
  primary_email: z.string().nullable().optional(),
  invite_id: z.uuid().nullable().optional(),
  expires_at: z.string().nullable().optional(),
  user_roles: identifier(z.array(jitRole)),
});

export const jitListAccessResponse = z.object({ items: z.array(jitListedAccess) });

export const updateJitAccessBody = z.object({
  user_id: z.uuid(),
  roles: z.array(
    keepsUnknownKeys(jitRole.extend({ allowed_networks: keepsUnknownKeys(jitNetworks).optional() })),
  ),
});

export const jitAccessRequestRequest = z.object({ state: jitState });

/** `POST /v1/projects/{ref}/database/jit` */
export const authorizeJitAccess = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/jit",
  params: z.object({ ref: projectRef }),
  body: json(authorizeJitAccessBody),
  success: answers(200, jitAuthorizeAccessResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_jit_read"]],
  idempotent: true,
});

/** `GET /v1/projects/{ref}/database/jit` */
export const getJitUser = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/jit",
  params: z.object({ ref: projectRef }),
  success: answers(200, jitAccessResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_jit_read"]],
});

/** `GET /v1/projects/{ref}/database/jit/list` */
export const listJitUsers = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/jit/list",
  params: z.object({ ref: projectRef }),
  success: answers(200, jitListAccessResponse),
  errors: [401, 403, 429, 500],
  permissions: [["database_jit_read"]],
  changedPermissions: [["database_jit_write"]],
});

/** `PUT /v1/projects/{ref}/database/jit` */
export const updateJitUser = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/database/jit",
  params: z.object({ ref: projectRef }),
  body: json(updateJitAccessBody),
  success: answers(200, jitAccessResponse),
  errors: [401, 403, 429, 500],
  permissions: [["database_jit_write"]],
});

/** `DELETE /v1/projects/{ref}/database/jit/{user_id}` */
export const deleteJitUser = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/database/jit/{user_id}",
  params: z.object({ ref: projectRef, user_id: z.uuid() }),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  permissions: [["database_jit_write"]],
});

/** `GET /v1/projects/{ref}/jit-access` */
export const getJitAccess = operation({
  method: "GET",
  path: "/v1/projects/{ref}/jit-access",
  params: z.object({ ref: projectRef }),
  success: answers(200, jitStateResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["project_admin_read"]],
  stability: ["beta"],
});

/** `PUT /v1/projects/{ref}/jit-access` */
export const updateJitAccess = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/jit-access",
  params: z.object({ ref: projectRef }),
  body: json(jitAccessRequestRequest),
  success: answers(200, jitStateResponse),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["project_admin_write"]],
  stability: ["beta"],
});

export const jitAccessOperations = {
  authorizeJitAccess,
  getJitUser,
  listJitUsers,
  updateJitUser,
  deleteJitUser,
  getJitAccess,
  updateJitAccess,
};
