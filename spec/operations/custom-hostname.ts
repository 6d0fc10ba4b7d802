import { z } from "zod";
import { answers, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const customHostnameStatus = z.enum([
  "1_not_started",
  "2_initiated",
  "3_challenge_verified",
  "4_origin_setup_completed",
  "5_services_reconfigured",
]);

export const customHostname = z.object({
  status: customHostnameStatus,
  custom_hostname: z.string(),
  data: z.object({
    success: z.boolean(),
    errors: z.array(z.unknown()),
    messages: z.array(z.unknown()),
    result: z.object({
      id: z.string(),
      hostname: z.string(),
      ssl: z.object({
        status: z.string(),
        validation_records: z.array(z.object({ txt_name: z.string(), txt_value: z.string() })),
        validation_errors: z.array(z.object({ message: z.string() })).optional(),
      }),
      ownership_verification: z.object({ type: z.string(), name: z.string(), value: z.string() }),
      custom_origin_server: z.string(),
      verification_errors: z.array(z.string()).optional(),
      status: z.string(),
    }),
  }),
});

export const initializeCustomHostnameBody = z.object({ custom_hostname: z.string().min(1).max(253) });

/** `GET /v1/projects/{ref}/custom-hostname` */
export const getCustomHostname = operation({
  method: "GET",
  path: "/v1/projects/{ref}/custom-hostname",
  params: z.object({ ref: projectRef }),
  success: answers(200, customHostname),
  errors: [401, 403, 429, 500],
  scope: "domains:read",
  permissions: [["custom_domain_read"]],
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/custom-hostname/initialize` */
export const initializeCustomHostname = operation({
  method: "POST",
  path: "/v1/projects/{ref}/custom-hostname/initialize",
  params: z.object({ ref: projectRef }),
  body: json(initializeCustomHostnameBody),
  success: answers(201, customHostname),
  errors: [401, 403, 429, 500],
  scope: "domains:write",
  permissions: [["custom_domain_write"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/custom-hostname/reverify` */
export const reverifyCustomHostname = operation({
  method: "POST",
  path: "/v1/projects/{ref}/custom-hostname/reverify",
  params: z.object({ ref: projectRef }),
  success: answers(201, customHostname),
  errors: [401, 403, 429, 500],
  scope: "domains:write",
  permissions: [["custom_domain_write"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
  idempotent: true,
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/custom-hostname/activate` */
export const activateCustomHostname = operation({
  method: "POST",
  path: "/v1/projects/{ref}/custom-hostname/activate",
  params: z.object({ ref: projectRef }),
  success: answers(201, customHostname),
  errors: [401, 403, 429, 500],
  scope: "domains:write",
  permissions: [["custom_domain_write"]],
  stability: ["beta"],
});

export const customHostnameOperations = {
  getCustomHostname,
  initializeCustomHostname,
  reverifyCustomHostname,
  activateCustomHostname,
};
