import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, form, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const oAuthTokenBody = z.strictObject({
  grant_type: z.enum(["authorization_code", "refresh_token"]).optional(),
  client_id: z.uuid().optional(),
  client_secret: z.string().optional(),
  code: z.string().optional(),
  code_verifier: z.string().optional(),
  redirect_uri: z.string().optional(),
  refresh_token: z.string().optional(),
  resource: z.url().optional(),
  scope: z.string().optional(),
});

export const oAuthTokenResponse = z.object({
  access_token: identifier(z.string()),
  refresh_token: z.string(),
  expires_in: z.int(),
  token_type: z.literal("Bearer"),
});

/** `POST /v1/oauth/token` */
export const exchangeToken = operation({
  method: "POST",
  path: "/v1/oauth/token",
  body: form(oAuthTokenBody),
  success: answers(201, oAuthTokenResponse),
  stability: ["beta"],
});

export const oAuthRevokeTokenBody = z.strictObject({
  client_id: z.uuid(),
  client_secret: z.string(),
  refresh_token: z.string(),
});

/** `GET /v1/oauth/authorize` */
export const authorize = operation({
  method: "GET",
  path: "/v1/oauth/authorize",
  query: z.object({
    client_id: z.uuid(),
    response_type: z.enum(["code", "token", "id_token token"]),
    redirect_uri: z.string(),
    scope: z.string().optional(),
    state: z.string().optional(),
    response_mode: z.string().optional(),
    code_challenge: z.string().optional(),
    code_challenge_method: z.enum(["plain", "sha256", "S256"]).optional(),
    organization_slug: z
      .string()
      .regex(/^[\w-]+$/)
      .optional(),
    resource: z.url().optional(),
  }),
  success: answersEmpty(204),
  stability: ["beta"],
});

/** `GET /v1/oauth/authorize/project-claim` */
export const authorizeProjectClaim = operation({
  method: "GET",
  path: "/v1/oauth/authorize/project-claim",
  query: z.object({
    project_ref: projectRef,
    client_id: z.uuid(),
    response_type: z.enum(["code", "token", "id_token token"]),
    redirect_uri: z.string(),
    state: z.string().optional(),
    response_mode: z.string().optional(),
    code_challenge: z.string().optional(),
    code_challenge_method: z.enum(["plain", "sha256", "S256"]).optional(),
  }),
  success: answersEmpty(204),
  permissions: [["organization_admin_write", "project_admin_write"]],
});

/** `POST /v1/oauth/revoke` */
export const revokeToken = operation({
  method: "POST",
  path: "/v1/oauth/revoke",
  body: json(oAuthRevokeTokenBody),
  success: answersEmpty(204),
  stability: ["beta"],
});

export const oauthOperations = { exchangeToken, authorize, authorizeProjectClaim, revokeToken };
