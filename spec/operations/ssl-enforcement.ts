import { z } from "zod";
import { answers, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const sslEnforcementResponse = z.object({
  currentConfig: z.object({ database: z.boolean() }),
  appliedSuccessfully: z.boolean(),
});

export const sslEnforcementRequest = z.object({ requestedConfig: z.object({ database: z.boolean() }) });

/** `GET /v1/projects/{ref}/ssl-enforcement` */
export const getSslEnforcement = operation({
  method: "GET",
  path: "/v1/projects/{ref}/ssl-enforcement",
  params: z.object({ ref: projectRef }),
  success: answers(200, sslEnforcementResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_ssl_config_read"]],
  stability: ["beta"],
});

/** `PUT /v1/projects/{ref}/ssl-enforcement` */
export const updateSslEnforcement = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/ssl-enforcement",
  params: z.object({ ref: projectRef }),
  body: json(sslEnforcementRequest),
  success: answers(200, sslEnforcementResponse),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_ssl_config_write"]],
  stability: ["beta"],
});

export const sslEnforcementOperations = { getSslEnforcement, updateSslEnforcement };
