import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersOfNamed, json, operation } from "../operation";
import { projectRef, timestamp } from "../shared-fields";

export const signingAlgorithm = z.enum(["EdDSA", "ES256", "RS256", "HS256"]).meta({
  id: "SigningKeyAlgorithm",
  description: "Algorithm by which a key signs.",
  valueNames: { EdDSA: "EdDSA" },
});

export const signingKeyStatus = z
  .enum(["in_use", "previously_used", "revoked", "standby"])
  .meta({ id: "SigningKeyStatus", description: "State of a signing key." });

/** Members that every private JWK may carry (RFC 7517). */
const jwkFields = {
  kid: z.uuid().describe("Identifier of the key, a UUID.").optional(),
  use: z.literal("sig").describe("What the key is for: `sig`.").optional(),
  key_ops: z
    .array(
      z.enum(["sign", "verify"]).meta({ id: "JwkOperation", description: "What a JSON Web Key may do." }),
    )
    .length(2)
    .describe("What the key may do: `sign` and `verify`.")
    .optional(),
  ext: z.literal(true).describe("Whether the key may be exported: `true`.").optional(),
};

const keyKind = <K extends string>(kty: K) => z.literal(kty).describe("Kind of the key.");
const signedBy = <A extends string>(alg: A) =>
  z.literal(alg).describe("Algorithm of the signature.").optional();
const onCurve = <C extends string>(crv: C) => z.literal(crv).describe("Curve of the key.");

/** The members of each kind: RFC 7518 and 8037. */
export const privateJwk = z.discriminatedUnion("kty", [
  z
    .strictObject({
      ...jwkFields,
      kty: keyKind("RSA"),
      alg: signedBy("RS256"),
      n: z.string().describe("Modulus, base64url."),
      e: z.literal("AQAB").describe("Exponent: `AQAB`."),
      d: z.string().describe("Private exponent, base64url."),
      p: z.string().describe("First prime factor, base64url."),
      q: z.string().describe("Second prime factor, base64url."),
      dp: z.string().describe("Exponent of the first factor, base64url."),
      dq: z.string().describe("Exponent of the second factor, base64url."),
      qi: z.string().describe("Coefficient of the first factor, base64url."),
    })
    .meta({ id: "RsaPrivateJwk", description: "A private RSA key as a JWK, for RS256." }),
  z
    .strictObject({
      ...jwkFields,
      kty: keyKind("EC"),
      alg: signedBy("ES256"),
      crv: onCurve("P-256"),
      x: z.string().describe("First coordinate of the public point, base64url."),
      y: z.string().describe("Second coordinate of the public point, base64url."),
      d: z.string().describe("Private key, base64url."),
    })
    .meta({ id: "EcPrivateJwk", description: "A private key on the curve P-256 as a JWK, for ES256." }),
  z
    .strictObject({
      ...jwkFields,
      kty: keyKind("OKP"),
      alg: signedBy("EdDSA"),
      crv: onCurve("Ed25519"),
      x: z.string().describe("Public key, base64url."),
      d: z.string().describe("Private key, base64url."),
    })
    .meta({ id: "OkpPrivateJwk", description: "A private key on the curve Ed25519 as a JWK, for EdDSA." }),
  z
    .strictObject({
      ...jwkFields,
      kty: keyKind("oct"),
      alg: signedBy("HS256"),
      k: z.string().min(16).describe("The secret, at least 16 characters, base64url."),
    })
    .meta({ id: "OctPrivateJwk", description: "A shared secret as a JWK, for HS256." }),
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
