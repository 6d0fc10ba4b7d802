import type { OAuthScope } from "../../../spec/operation";

/** OAuth applications, what users were asked for and have approved, and what was issued on the strength of it. */
export interface OAuthRecords {
  /** By client id. */
  readonly apps: Map<string, OAuthAppRecord>;
  /** By id: what users were asked for and have not decided. */
  readonly requests: Map<string, AuthorizationRequestRecord>;
  /** By id. */
  readonly authorizations: Map<string, AuthorizationRecord>;
  readonly codes: Map<string, AuthorizationCodeRecord>;
  readonly accessTokens: Map<string, OAuthAccessTokenRecord>;
  readonly refreshTokens: Map<string, RefreshTokenRecord>;
}

export interface OAuthAppRecord {
  readonly clientId: string;
  /** Null for a public application, which proves itself by PKCE only. */
  clientSecret: string | null;
  name: string;
  redirectUris: string[];
  /** All that it may ever ask for. */
  scopes: OAuthScope[];
  accessTokenLifetimeMs: number;
}

export interface PkceChallenge {
  readonly challenge: string;
  readonly method: "plain" | "S256";
}

export interface AuthorizationRequestRecord {
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseMode: "query" | "fragment";
  readonly state: string | null;
  readonly scopes: OAuthScope[];
  readonly pkce: PkceChallenge | null;
  /** The only organization that it is about; null to let the user choose. */
  readonly organizationSlug: string | null;
  readonly resource: string | null;
  /** The project that is claimed with it. */
  readonly projectRef: string | null;
  /** Who asked, where a token was needed for that. */
  readonly user: string | null;
  readonly requestedAt: number;
}

/** A user's approval of an application. */
export interface AuthorizationRecord {
  readonly id: string;
  readonly clientId: string;
  readonly user: string;
  scopes: OAuthScope[];
  /** The only organization that its tokens reach; null for all. */
  organizationSlug: string | null;
  readonly resource: string | null;
  readonly approvedAt: number;
}

export interface AuthorizationCodeRecord {
  readonly authorizationId: string;
  readonly redirectUri: string;
  readonly pkce: PkceChallenge | null;
  readonly issuedAt: number;
  usedAt: number | null;
}

export interface OAuthAccessTokenRecord {
  readonly authorizationId: string;
  scopes: OAuthScope[];
  expiresAt: number;
}

export interface RefreshTokenRecord {
  readonly authorizationId: string;
  readonly issuedAt: number;
  usedAt: number | null;
}

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
