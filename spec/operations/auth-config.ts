import { z } from "zod";
import { updateAuthConfigBody } from "../auth-config-body";
import { authConfigResponse } from "../auth-config-response";
import { answers, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

/** `GET /v1/projects/{ref}/config/auth` */
export const getAuthConfig = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth",
  params: z.object({ ref: projectRef }),
  success: answers(200, authConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "auth:read",
  permissions: [["auth_config_read"]],
});

/** `PATCH /v1/projects/{ref}/config/auth` */
export const updateAuthConfig = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/config/auth",
  params: z.object({ ref: projectRef }),
  body: json(updateAuthConfigBody),
  success: answers(200, authConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "auth:write",
  permissions: [["auth_config_write", "project_admin_write"]],
});

export const authConfigOperations = { getAuthConfig, updateAuthConfig };
