import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersOfNamed, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const thirdPartyAuth = z.object({
  id: identifier(z.uuid()),
  type: z.string(),
  oidc_issuer_url: z.string().nullable().optional(),
  jwks_url: z.string().nullable().optional(),
  custom_jwks: z.unknown().nullable().optional(),
  resolved_jwks: z.unknown().nullable().optional(),
  inserted_at: z.string(),
  updated_at: z.string(),
  resolved_at: z.string().nullable().optional(),
});

export const createThirdPartyAuthBody = z.object({
  oidc_issuer_url: z.string().optional(),
  jwks_url: z.string().optional(),
  custom_jwks: z.unknown().optional(),
});

/** `GET /v1/projects/{ref}/config/auth/third-party-auth` */
export const listThirdPartyAuth = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth/third-party-auth",
  params: z.object({ ref: projectRef }),
  success: answers(200, z.array(thirdPartyAuth)),
  errors: [401, 403, 429],
  scope: "auth:read",
  permissions: [["auth_config_read"]],
});

/** `POST /v1/projects/{ref}/config/auth/third-party-auth` */
export const createThirdPartyAuth = operation({
  method: "POST",
  path: "/v1/projects/{ref}/config/auth/third-party-auth",
  params: z.object({ ref: projectRef }),
  body: json(createThirdPartyAuthBody),
  success: answers(201, thirdPartyAuth),
  errors: [401, 403, 429],
  scope: "auth:write",
  permissions: [["auth_config_write"]],
});

/** `GET /v1/projects/{ref}/config/auth/third-party-auth/{tpa_id}` */
export const getThirdPartyAuth = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth/third-party-auth/{tpa_id}",
  params: z.object({ ref: projectRef, tpa_id: z.uuid() }),
  success: answers(200, thirdPartyAuth),
  errors: [401, 403, 429],
  scope: "auth:read",
  permissions: [["auth_config_read"]],
});

/** `DELETE /v1/projects/{ref}/config/auth/third-party-auth/{tpa_id}` */
export const deleteThirdPartyAuth = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/config/auth/third-party-auth/{tpa_id}",
  params: z.object({ ref: projectRef, tpa_id: z.uuid() }),
  success: answersOfNamed(200, thirdPartyAuth),
  errors: [401, 403, 429],
  scope: "auth:write",
  permissions: [["auth_config_write"]],
});

export const thirdPartyAuthOperations = {
  listThirdPartyAuth,
  createThirdPartyAuth,
  getThirdPartyAuth,
  deleteThirdPartyAuth,
};
