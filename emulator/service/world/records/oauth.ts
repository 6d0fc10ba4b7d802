import { z } from "zod";
import type { OAuthScope } from "../../../../spec/operation";
import { mapOf, time } from "./fields";

// Any text is taken, so that a scope which no endpoint uses can be tried as well.
const scopes = z.array(
  z.custom<OAuthScope>((value) => typeof value === "string", "Invalid input: expected string"),
);

export const oauthAppRecord = z.strictObject({
  clientId: z.string(),
  /** Null for a public application, which proves itself by PKCE only. */
  clientSecret: z.string().nullable(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  /** All that it may ever ask for. */
  scopes,
  accessTokenLifetimeMs: z.number(),
});
export type OAuthAppRecord = z.infer<typeof oauthAppRecord>;

const pkceChallenge = z.strictObject({ challenge: z.string(), method: z.enum(["plain", "S256"]) });
export type PkceChallenge = z.infer<typeof pkceChallenge>;

const authorizationRequestRecord = z.strictObject({
  id: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  responseMode: z.enum(["query", "fragment"]),
  state: z.string().nullable(),
  scopes,
  pkce: pkceChallenge.nullable(),
  /** The only organization that it is about; null to let the user choose. */
  organizationSlug: z.string().nullable(),
  resource: z.string().nullable(),
  /** The project that is claimed with it. */
  projectRef: z.string().nullable(),
  /** Who asked, where a token was needed for that. */
  user: z.string().nullable(),
  requestedAt: time,
});
export type AuthorizationRequestRecord = z.infer<typeof authorizationRequestRecord>;

/** A user's approval of an application. */
const authorizationRecord = z.strictObject({
  id: z.string(),
  clientId: z.string(),
  user: z.string(),
  scopes,
  /** The only organization that its tokens reach; null for all. */
  organizationSlug: z.string().nullable(),
  resource: z.string().nullable(),
  approvedAt: time,
});
export type AuthorizationRecord = z.infer<typeof authorizationRecord>;

const authorizationCodeRecord = z.strictObject({
  authorizationId: z.string(),
  redirectUri: z.string(),
  pkce: pkceChallenge.nullable(),
  issuedAt: time,
  usedAt: time.nullable(),
});

const oauthAccessTokenRecord = z.strictObject({ authorizationId: z.string(), scopes, expiresAt: time });

const refreshTokenRecord = z.strictObject({
  authorizationId: z.string(),
  issuedAt: time,
  usedAt: time.nullable(),
});

/** OAuth applications, what users were asked for and have approved, and what was issued on the strength of it. */
export const oauthRecords = z.strictObject({
  /** By client id. */
  apps: mapOf(z.string(), oauthAppRecord),
  /** By id: what users were asked for and have not decided. */
  requests: mapOf(z.string(), authorizationRequestRecord),
  /** By id. */
  authorizations: mapOf(z.string(), authorizationRecord),
  codes: mapOf(z.string(), authorizationCodeRecord),
  accessTokens: mapOf(z.string(), oauthAccessTokenRecord),
  refreshTokens: mapOf(z.string(), refreshTokenRecord),
});
export type OAuthRecords = z.infer<typeof oauthRecords>;

export function newOAuthRecords(): OAuthRecords {
  return {
    apps: new Map(),
    requests: new Map(),
    authorizations: new Map(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
  };
}
