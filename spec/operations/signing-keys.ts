import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersOfNamed, json, operation } from "../operation";
import { projectRef, timestamp } from "../shared-fields";

export const signingAlgorithm = z.enum(["EdDSA", "ES256", "RS256", "HS256"]);

export const signingKeyStatus = z.enum(["in_use", "previously_used", "revoked", "standby"]);

/** Members that every private JWK may carry. */
const jwkFields = {
  kid: z.uuid().optional(),
  use: z.literal("sig").optional(),
  key_ops: z
    .array(z.enum(["sign", "verify"]))
    .length(2)
    .optional(),
  ext: z.literal(true).optional(),
};

export const privateJwk = z.discriminatedUnion("kty", [
  z.strictObject({
    ...jwkFields,
    kty: z.literal("RSA"),
    alg: z.literal("RS256").optional(),
    n: z.string(),
    e: z.literal("AQAB"),
    d: z.string(),
    p: z.string(),
    q: z.string(),
    dp: z.string(),
    dq: z.string(),
    qi: z.string(),
  }),
  z.strictObject({
    ...jwkFields,
    kty: z.literal("EC"),
    alg: z.literal("ES256").optional(),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    d: z.string(),
  }),
  z.strictObject({
    ...jwkFields,
    kty: z.literal("OKP"),
    alg: z.literal("EdDSA").optional(),
    crv: z.literal("Ed25519"),
    x: z.string(),
    d: z.string(),
  }),
  z.strictObject({
    ...jwkFields,
    kty: z.literal("oct"),
    alg: z.literal("HS256").optional(),
    k: z.string().min(16),
  }),
]);

export const createSigningKeyBody = z.strictObject({
  algorithm: signingAlgorithm,
  status: z.enum(["in_use", "standby"]).optional(),
  private_jwk: privateJwk.optional(),
});

export const signingKeyResponse = z.object({
  id: identifier(z.uuid()),
  algorithm: signingAlgorithm,
  status: signingKeyStatus,
  public_jwk: z.unknown().nullable().optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const updateSigningKeyBody = z.strictObject({ status: signingKeyStatus });

export const signingKeysResponse = z.object({ keys: z.array(signingKeyResponse) });

/** `GET /v1/projects/{ref}/config/auth/signing-keys` */
export const listSigningKeys = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth/signing-keys",
  params: z.object({ ref: projectRef }),
  success: answers(200, signingKeysResponse),
  errors: [401, 403, 429],
  scope: "secrets:read",
  permissions: [["auth_signing_keys_read"]],
});

/** `POST /v1/projects/{ref}/config/auth/signing-keys` */
export const createSigningKey = operation({
  method: "POST",
  path: "/v1/projects/{ref}/config/auth/signing-keys",
  params: z.object({ ref: projectRef }),
  body: json(createSigningKeyBody),
  success: answers(201, signingKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["auth_signing_keys_write"]],
});

/** `GET /v1/projects/{ref}/config/auth/signing-keys/{id}` */
export const getSigningKey = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth/signing-keys/{id}",
  params: z.object({ id: z.uuid(), ref: projectRef }),
  success: answers(200, signingKeyResponse),
  errors: [401, 403, 429],
  permissions: [["auth_signing_keys_read"]],
});

/** `PATCH /v1/projects/{ref}/config/auth/signing-keys/{id}` */
export const updateSigningKey = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/config/auth/signing-keys/{id}",
  params: z.object({ id: z.uuid(), ref: projectRef }),
  body: json(updateSigningKeyBody),
  success: answersOfNamed(200, signingKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["auth_signing_keys_write"]],
});

/** `DELETE /v1/projects/{ref}/config/auth/signing-keys/{id}` */
export const deleteSigningKey = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/config/auth/signing-keys/{id}",
  params: z.object({ id: z.uuid(), ref: projectRef }),
  success: answersOfNamed(200, signingKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["auth_signing_keys_write"]],
});

/** `POST /v1/projects/{ref}/config/auth/signing-keys/legacy` */
export const createLegacySigningKey = operation({
  method: "POST",
  path: "/v1/projects/{ref}/config/auth/signing-keys/legacy",
  params: z.object({ ref: projectRef }),
  success: answers(201, signingKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:write",
  permissions: [["auth_signing_keys_write"]],
});

/** `GET /v1/projects/{ref}/config/auth/signing-keys/legacy` */
export const getLegacySigningKey = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth/signing-keys/legacy",
  params: z.object({ ref: projectRef }),
  success: answers(200, signingKeyResponse),
  errors: [401, 403, 429],
  scope: "secrets:read",
  permissions: [["auth_signing_keys_read"]],
});

export const signingKeysOperations = {
  listSigningKeys,
  createSigningKey,
  getSigningKey,
  updateSigningKey,
  deleteSigningKey,
  createLegacySigningKey,
  getLegacySigningKey,
};
