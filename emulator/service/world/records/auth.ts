import { z } from "zod";
import { authConfigResponse } from "../../../../spec/auth-config-response";
import { signingAlgorithm, signingKeyStatus } from "../../../../spec/operations/signing-keys";
import { attributeMapping, nameIdFormat } from "../../../../spec/operations/sso-providers";
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

export type SigningKeyStatus = z.infer<typeof signingKeyStatus>;
export type SigningAlgorithm = z.infer<typeof signingAlgorithm>;

export const apiKeyRecord = z.strictObject({
  id: z.string(),
  type: z.enum(["publishable", "secret"]),
  name: z.string(),
  description: z.string().nullable(),
  apiKey: z.string(),
  prefix: z.string(),
  secretJwtTemplate: z.record(z.string(), z.unknown()).nullable(),
  insertedAt: time,
  updatedAt: time,
});
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>;

/** Its members follow from the algorithm; Node.js's own type for it has moved from version to version. */
const member = z.string().exactOptional();
const jsonWebKey = z.looseObject({
  ...{ kty: member, crv: member, k: member, x: member, y: member, d: member },
  ...{ n: member, e: member, p: member, q: member, dp: member, dq: member, qi: member },
});
export type JsonWebKey = z.infer<typeof jsonWebKey>;

export const signingKeyRecord = z.strictObject({
  id: z.string(),
  algorithm: signingAlgorithm,
  status: signingKeyStatus,
  /** Whether it is the project's own JWT secret. */
  legacy: z.boolean(),
  /** A shared secret has none. */
  publicJwk: jsonWebKey.nullable(),
  /** Null for the project's own JWT secret, which the project holds. */
  privateJwk: jsonWebKey.nullable(),
  createdAt: time,
  updatedAt: time,
  /** When its state was last changed; null since its creation. */
  statusChangedAt: time.nullable(),
});
export type SigningKeyRecord = z.infer<typeof signingKeyRecord>;

export const ssoProviderRecord = z.strictObject({
  id: z.string(),
  samlId: z.string(),
  entityId: z.string(),
  metadataUrl: z.string().nullable(),
  metadataXml: z.string().nullable(),
  attributeMapping: attributeMapping.nullable(),
  nameIdFormat: nameIdFormat.nullable(),
  domains: z.array(z.strictObject({ id: z.string(), domain: z.string(), createdAt: time, updatedAt: time })),
  createdAt: time,
  updatedAt: time,
});
export type SsoProviderRecord = z.infer<typeof ssoProviderRecord>;

export const cryptoExtensionRecord = z.strictObject({
  /** In clear, as the service returns it. */
  rootKey: z.string(),
});
