import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef, timestamp } from "../shared-fields";

export const networkBanResponse = z.object({ banned_ipv4_addresses: z.array(z.string()) });

export const networkBanResponseEnriched = z.object({
  banned_ipv4_addresses: z.array(
    z.object({ banned_address: identifier(z.string()), identifier: z.string(), type: z.string() }),
  ),
});

export const removeNetworkBanRequest = z.object({
  ipv4_addresses: z.array(z.string()),
  requester_ip: z.boolean().optional().meta({ default: false }),
  identifier: z.string().optional(),
});

export const networkRestrictionsResponse = z.object({
  entitlement: z.enum(["disallowed", "allowed"]),
  config: z.object({
    dbAllowedCidrs: z.array(z.string()).optional(),
    dbAllowedCidrsV6: z.array(z.string()).optional(),
  }),
  old_config: z
    .object({
      dbAllowedCidrs: z.array(z.string()).optional(),
      dbAllowedCidrsV6: z.array(z.string()).optional(),
    })
    .optional(),
  /** What waits for somebody's approval, while `config` is in force (service, Network restrictions). */
  pending_config: z
    .object({
      dbAllowedCidrs: z.array(z.string()).optional(),
      dbAllowedCidrsV6: z.array(z.string()).optional(),
    })
    .optional(),
  pending_requested_at: timestamp.optional(),
  status: z.enum(["stored", "applied"]).optional(),
  updated_at: timestamp.optional(),
  applied_at: timestamp.optional(),
});

export const networkRestrictionsRequest = z.object({
  dbAllowedCidrs: z.array(z.string()).optional(),
  dbAllowedCidrsV6: z.array(z.string()).optional(),
});

export const networkRestrictionsPatchRequest = z.object({
  add: z
    .object({
      dbAllowedCidrs: z.array(z.string()).optional(),
      dbAllowedCidrsV6: z.array(z.string()).optional(),
    })
    .optional(),
  remove: z
    .object({
      dbAllowedCidrs: z.array(z.string()).optional(),
      dbAllowedCidrsV6: z.array(z.string()).optional(),
    })
    .optional(),
});

export const networkRestrictionsV2Response = z.object({
  entitlement: z.enum(["disallowed", "allowed"]),
  config: z.object({
    dbAllowedCidrs: z.array(z.object({ address: z.string(), type: z.enum(["v4", "v6"]) })).optional(),
  }),
  old_config: z
    .object({
      dbAllowedCidrs: z.array(z.object({ address: z.string(), type: z.enum(["v4", "v6"]) })).optional(),
    })
    .optional(),
  updated_at: timestamp.optional(),
  applied_at: timestamp.optional(),
  status: z.enum(["stored", "applied"]),
});

/** `POST /v1/projects/{ref}/network-bans/retrieve` */
export const listNetworkBans = operation({
  method: "POST",
  path: "/v1/projects/{ref}/network-bans/retrieve",
  params: z.object({ ref: projectRef }),
  success: answers(201, networkBanResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:read",
  permissions: [["database_network_bans_read"]],
  idempotent: true,
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/network-bans/retrieve/enriched` */
export const listNetworkBansEnriched = operation({
  method: "POST",
  path: "/v1/projects/{ref}/network-bans/retrieve/enriched",
  params: z.object({ ref: projectRef }),
  success: answers(201, networkBanResponseEnriched),
  errors: [401, 403, 429, 500],
  scope: "projects:read",
  permissions: [["database_network_bans_read"]],
  idempotent: true,
  stability: ["beta"],
});

/** `DELETE /v1/projects/{ref}/network-bans` */
export const removeNetworkBans = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/network-bans",
  params: z.object({ ref: projectRef }),
  body: json(removeNetworkBanRequest),
  success: answersEmpty(200, null),
  errors: [401, 403, 429, 500],
  scope: "projects:write",
  permissions: [["database_network_bans_write"]],
  stability: ["beta"],
});

/** `GET /v1/projects/{ref}/network-restrictions` */
export const getNetworkRestrictions = operation({
  method: "GET",
  path: "/v1/projects/{ref}/network-restrictions",
  params: z.object({ ref: projectRef }),
  success: answers(200, networkRestrictionsResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:read",
  permissions: [["database_network_restrictions_read"]],
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/network-restrictions/apply` */
export const applyNetworkRestrictions = operation({
  method: "POST",
  path: "/v1/projects/{ref}/network-restrictions/apply",
  params: z.object({ ref: projectRef }),
  body: json(networkRestrictionsRequest),
  success: answers(201, networkRestrictionsResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:write",
  permissions: [["database_network_restrictions_write"]],
  idempotent: true,
  stability: ["beta"],
});

/** `PATCH /v1/projects/{ref}/network-restrictions` */
export const patchNetworkRestrictions = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/network-restrictions",
  params: z.object({ ref: projectRef }),
  body: json(networkRestrictionsPatchRequest),
  success: answers(200, networkRestrictionsV2Response),
  errors: [401, 403, 429, 500],
  scope: "projects:write",
  permissions: [["database_network_restrictions_write"]],
  stability: ["alpha"],
});

export const networkOperations = {
  listNetworkBans,
  listNetworkBansEnriched,
  removeNetworkBans,
  getNetworkRestrictions,
  applyNetworkRestrictions,
  patchNetworkRestrictions,
};
