import type { JsonWebKey } from "node:crypto";
import type { z } from "zod";
import type { functionStatus } from "../../../spec/operations/functions";
import type { signingAlgorithm, signingKeyStatus } from "../../../spec/operations/signing-keys";
import type { attributeMapping, nameIdFormat } from "../../../spec/operations/sso-providers";

export type SigningKeyStatus = z.infer<typeof signingKeyStatus>;
export type SigningAlgorithm = z.infer<typeof signingAlgorithm>;

export interface SecretRecord {
  value: string;
  updatedAt: number;
}

export interface Bundle {
  /** By path; empty when it was uploaded in one piece. */
  readonly files: Map<string, Uint8Array>;
  readonly entrypointPath: string | null;
  readonly importMapPath: string | null;
  readonly staticPatterns: string[];
  /** What was uploaded in one piece. */
  readonly uploaded: Uint8Array | null;
}

export interface FunctionRecord {
  id: string;
  readonly slug: string;
  name: string;
  status: z.infer<typeof functionStatus>;
  version: number;
  createdAt: number;
  updatedAt: number;
  verifyJwt: boolean;
  importMap: boolean;
  entrypointPath: string | null;
  importMapPath: string | null;
  ezbrSha256: string | null;
}

export interface ApiKeyRecord {
  readonly id: string;
  readonly type: "publishable" | "secret";
  name: string;
  description: string | null;
  apiKey: string;
  prefix: string;
  secretJwtTemplate: Record<string, unknown> | null;
  insertedAt: number;
  updatedAt: number;
}

export interface SigningKeyRecord {
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  status: SigningKeyStatus;
  /** Whether it is the project's own JWT secret. */
  readonly legacy: boolean;
  /** A shared secret has none. */
  readonly publicJwk: JsonWebKey | null;
  /** Null for the project's own JWT secret, which the project holds. */
  readonly privateJwk: JsonWebKey | null;
  readonly createdAt: number;
  updatedAt: number;
  /** When its state was last changed; null since its creation. */
  statusChangedAt: number | null;
}

export interface SsoProviderRecord {
  readonly id: string;
  readonly samlId: string;
  entityId: string;
  metadataUrl: string | null;
  metadataXml: string | null;
  attributeMapping: z.infer<typeof attributeMapping> | null;
  nameIdFormat: z.infer<typeof nameIdFormat> | null;
  domains: { id: string; domain: string; createdAt: number; updatedAt: number }[];
  readonly createdAt: number;
  updatedAt: number;
}

export interface CustomHostnameRecord {
  readonly id: string;
  readonly hostname: string;
  readonly ownershipValue: string;
  readonly validationValue: string;
  verifiedAt: number | null;
  activatedAt: number | null;
}
