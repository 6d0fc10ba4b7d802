import { z } from "zod";
import { authConfigResponse } from "../../../spec/auth-config-response";
import { mapOf, time } from "./fields";

export type AuthConfig = z.infer<typeof authConfigResponse>;

/** What identifies a third party: it says where its keys are found. */
export const thirdPartyAuthRecord = z.strictObject({
  id: z.string(),
  oidcIssuerUrl: z.string().nullable(),
  jwksUrl: z.string().nullable(),
  customJwks: z.unknown(),
  insertedAt: time,
  /** The keys that were found last, and when they were. */
  resolved: z.strictObject({ jwks: z.unknown(), at: time }).nullable(),
});
export type ThirdPartyAuthRecord = z.infer<typeof thirdPartyAuthRecord>;

export const authRecord = z.strictObject({
  /** What was set of the configuration, in clear; every other field has its default. */
  config: authConfigResponse.partial().loose(),
  /** By id. */
  thirdParties: mapOf(z.string(), thirdPartyAuthRecord),
});
export type AuthRecord = Omit<z.infer<typeof authRecord>, "config"> & { config: Partial<AuthConfig> };

export function newAuth(): AuthRecord {
  return { config: {}, thirdParties: new Map() };
}

/** How the auth service of every project behaves. */
export const authBehaviour = z.strictObject({
  /** Whether a new project's JWT secret is its first signing key already; otherwise it has none. */
  legacySigningKeyAtStart: z.boolean(),
  /** How long after its creation a project takes its first new signing key, in milliseconds at pace 1. */
  signingKeyAfterMs: z.number(),
  /** Whether the endpoints of the legacy signing key still exist; 404 when not. */
  legacySigningKeyOffered: z.boolean(),
  /** Whether the endpoints of the legacy API keys still exist; 404 when not. */
  legacyApiKeysOffered: z.boolean(),
  /** Whether additional client ids come back as part of the client id. */
  additionalClientIdsFolded: z.boolean(),
  /** Whether the SSO endpoints answer 404 while SAML is switched off. */
  ssoNeedsSaml: z.boolean(),
  /** JSON Web Key Sets that the world serves, by their URL or by that of the issuer whose they are. */
  keySets: mapOf(z.string(), z.unknown()),
});
export type AuthBehaviour = z.infer<typeof authBehaviour>;

export function newAuthBehaviour(): AuthBehaviour {
  return {
    legacySigningKeyAtStart: true,
    signingKeyAfterMs: 2 * 60_000,
    legacySigningKeyOffered: true,
    legacyApiKeysOffered: true,
    additionalClientIdsFolded: false,
    ssoNeedsSaml: false,
    keySets: new Map(),
  };
}
