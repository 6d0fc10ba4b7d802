import { z } from "zod";
import { functionStatus } from "../../../spec/operations/functions";
import { signingAlgorithm, signingKeyStatus } from "../../../spec/operations/signing-keys";
import { attributeMapping, nameIdFormat } from "../../../spec/operations/sso-providers";
import { bytes, mapOf, time } from "./fields";

export type SigningKeyStatus = z.infer<typeof signingKeyStatus>;
export type SigningAlgorithm = z.infer<typeof signingAlgorithm>;

export const secretRecord = z.strictObject({ value: z.string(), updatedAt: time });

export const bundle = z.strictObject({
  /** By path; empty when it was uploaded in one piece. */
  files: mapOf(z.string(), bytes),
  entrypointPath: z.string().nullable(),
  importMapPath: z.string().nullable(),
  staticPatterns: z.array(z.string()),
  /** What was uploaded in one piece. */
  uploaded: bytes.nullable(),
});
export type Bundle = z.infer<typeof bundle>;

export const functionRecord = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: functionStatus,
  version: z.number(),
  createdAt: time,
  updatedAt: time,
  verifyJwt: z.boolean(),
  importMap: z.boolean(),
  entrypointPath: z.string().nullable(),
  importMapPath: z.string().nullable(),
  ezbrSha256: z.string().nullable(),
  /** What a newer service keeps of a function beyond the documents. */
  further: z.record(z.string(), z.unknown()).optional(),
});
export type FunctionRecord = z.infer<typeof functionRecord>;

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

export const customHostnameRecord = z.strictObject({
  id: z.string(),
  hostname: z.string(),
  ownershipValue: z.string(),
  validationValue: z.string(),
  /** When the service found the record that proves ownership. */
  ownershipVerifiedAt: time.nullable().default(null),
  /** When the certificate was validated as well. */
  verifiedAt: time.nullable(),
  activatedAt: time.nullable(),
});
export type CustomHostnameRecord = z.infer<typeof customHostnameRecord>;
