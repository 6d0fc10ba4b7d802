import { z } from "zod";
import { identifier } from "../identifier";
import { answers, form, operation } from "../operation";

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
  stability: "beta",
});

export const oauthOperations = { exchangeToken };
