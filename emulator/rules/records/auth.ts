import type { z } from "zod";
import type { authConfigResponse } from "../../../spec/auth-config-response";

export type AuthConfig = z.infer<typeof authConfigResponse>;

/** What identifies a third party: it says where its keys are found. */
export interface ThirdPartyAuthRecord {
  readonly id: string;
  readonly oidcIssuerUrl: string | null;
  readonly jwksUrl: string | null;
  readonly customJwks: unknown;
  readonly insertedAt: number;
  /** The keys that were found last, and when they were. */
  resolved: { readonly jwks: unknown; readonly at: number } | null;
}

export interface AuthRecord {
  /** What was set of the configuration, in clear; every other field has its default. */
  config: Partial<AuthConfig>;
  /** By id. */
  readonly thirdParties: Map<string, ThirdPartyAuthRecord>;
}

export function newAuth(): AuthRecord {
  return { config: {}, thirdParties: new Map() };
}

/** How the auth service of every project behaves. */
export interface AuthBehaviour {
  /** Whether a new project's JWT secret is its first signing key already; otherwise it has none. */
  legacySigningKeyAtStart: boolean;
  /** Whether the endpoints of the legacy signing key still exist; 404 when not. */
  legacySigningKeyOffered: boolean;
  /** Whether the endpoints of the legacy API keys still exist; 404 when not. */
  legacyApiKeysOffered: boolean;
  /** Whether additional client ids come back as part of the client id. */
  additionalClientIdsFolded: boolean;
  /** JSON Web Key Sets that the world serves, by their URL or by that of the issuer whose they are. */
  readonly keySets: Map<string, unknown>;
}

export function newAuthBehaviour(): AuthBehaviour {
  return {
    legacySigningKeyAtStart: true,
    legacySigningKeyOffered: true,
    legacyApiKeysOffered: true,
    additionalClientIdsFolded: false,
    keySets: new Map(),
  };
}
