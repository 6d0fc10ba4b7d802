import { z } from "zod";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const vanitySubdomainConfigResponse = z.object({
  status: z.enum(["not-used", "custom-domain-used", "active"]),
  custom_domain: z.string().min(1).optional(),
});

export const vanitySubdomainBody = z.object({ vanity_subdomain: z.string().max(63) });

export const subdomainAvailabilityResponse = z.object({ available: z.boolean() });

export const activateVanitySubdomainResponse = z.object({ custom_domain: z.string() });

/** `GET /v1/projects/{ref}/vanity-subdomain` */
export const getVanitySubdomain = operation({
  method: "GET",
  path: "/v1/projects/{ref}/vanity-subdomain",
  params: z.object({ ref: projectRef }),
  success: answers(200, vanitySubdomainConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "domains:read",
  permissions: [["vanity_subdomain_read"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/vanity-subdomain/check-availability` */
export const checkVanitySubdomain = operation({
  method: "POST",
  path: "/v1/projects/{ref}/vanity-subdomain/check-availability",
  params: z.object({ ref: projectRef }),
  body: json(vanitySubdomainBody),
  success: answers(201, subdomainAvailabilityResponse),
  errors: [401, 403, 429, 500],
  scope: "domains:write",
  permissions: [["vanity_subdomain_write"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
  idempotent: true,
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/vanity-subdomain/activate` */
export const activateVanitySubdomain = operation({
  method: "POST",
  path: "/v1/projects/{ref}/vanity-subdomain/activate",
  params: z.object({ ref: projectRef }),
  body: json(vanitySubdomainBody),
  success: answers(201, activateVanitySubdomainResponse),
  errors: [401, 403, 429, 500],
  scope: "domains:write",
  permissions: [["vanity_subdomain_write"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
  stability: ["beta"],
});

/** `DELETE /v1/projects/{ref}/vanity-subdomain` */
export const deleteVanitySubdomain = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/vanity-subdomain",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(200, null),
  errors: [401, 403, 429, 500],
  scope: "domains:write",
  permissions: [["vanity_subdomain_write"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
  stability: ["beta"],
});

export const vanitySubdomainOperations = {
  getVanitySubdomain,
  checkVanitySubdomain,
  activateVanitySubdomain,
  deleteVanitySubdomain,
};
