import type { World } from "../../world/world";
import { authConfigOf } from "./auth-config-view";
import { isSignedBy, sharedKey, signatureOf } from "./key-material";
import { legacyKeyOf } from "./signing-keys";
import type { ProjectRecord } from "../../world/records/project";
import type { JsonWebKey, SigningAlgorithm, SigningKeyRecord } from "../../world/records/auth";
import { Refusal } from "../../answers/refusal";
import { SERVICE_DOMAIN } from "../shared/hosting";

export type Claims = Readonly<Record<string, unknown>>;

interface Signer {
  /** Absent for a secret that is not set up as a key. */
  readonly kid: string | undefined;
  readonly algorithm: SigningAlgorithm;
  readonly jwk: JsonWebKey;
}

/** A user's token as the project's auth service signs it now; the claims given win over the usual ones. */
export function signToken(world: World, project: ProjectRecord, claims: Claims): string {
  const issuedAt = Math.floor(world.clock.now() / 1000);
  const usual = {
    iss: `https://${project.ref}.${SERVICE_DOMAIN}/auth/v1`,
    aud: "authenticated",
    role: "authenticated",
    iat: issuedAt,
    exp: issuedAt + (authConfigOf(project).jwt_exp ?? 0),
  };
  return signedBy(signerOf(project), { ...usual, ...claims });
}

/** A token signed by the project's own JWT secret, as the legacy API keys are. */
export function signWithJwtSecret(project: ProjectRecord, claims: Claims): string {
  return signedBy(jwtSecretOf(project), claims);
}

/** The claims of a token that one of the project's trusted keys has signed; undefined for any other, and when expired. */
export function verifiedClaims(world: World, project: ProjectRecord, token: string): Claims | undefined {
  const [header = "", payload = "", signature = "", ...rest] = token.split(".");
  const { alg, kid } = decoded(header);
  if (rest.length > 0) return undefined;
  const bytes = Buffer.from(signature, "base64url");
  const isTrusted = trustedSigners(project).some(
    (signer) =>
      signer.algorithm === alg &&
      (kid === undefined || signer.kid === kid) &&
      isSignedBy(signer.algorithm, signer.jwk, `${header}.${payload}`, bytes),
  );
  const claims = decoded(payload);
  const isExpired = typeof claims["exp"] === "number" && claims["exp"] * 1000 <= world.clock.now();
  return isTrusted && !isExpired ? claims : undefined;
}

/** Public keys by which anyone can verify a token: of every key that is not revoked, and never a shared secret. */
export function publicKeySet(project: ProjectRecord): { keys: JsonWebKey[] } {
  return { keys: trustedKeys(project).flatMap(({ publicJwk }) => (publicJwk === null ? [] : [publicJwk])) };
}

function signerOf(project: ProjectRecord): Signer {
  const keys = [...project.signingKeys.values()];
  const inUse = keys.find(({ status }) => status === "in_use");
  if (inUse !== undefined) return asSigner(project, inUse);
  // As long as there are no keys, the secret signs without being one.
  if (keys.length === 0) return jwtSecretOf(project);
  throw new Refusal(400, "No signing key of the project is in use");
}

function trustedSigners(project: ProjectRecord): Signer[] {
  const signers = trustedKeys(project).map((key) => asSigner(project, key));
  if (legacyKeyOf(project) !== undefined) return signers;
  return [...signers, jwtSecretOf(project)];
}

function trustedKeys(project: ProjectRecord): SigningKeyRecord[] {
  return [...project.signingKeys.values()].filter(({ status }) => status !== "revoked");
}

function asSigner(project: ProjectRecord, { id, algorithm, privateJwk }: SigningKeyRecord): Signer {
  return { kid: id, algorithm, jwk: privateJwk ?? sharedKey(project.jwtSecret) };
}

function jwtSecretOf(project: ProjectRecord): Signer {
  return { kid: undefined, algorithm: "HS256", jwk: sharedKey(project.jwtSecret) };
}

function signedBy({ kid, algorithm, jwk }: Signer, claims: Claims): string {
  const header = { alg: algorithm, ...(kid === undefined ? {} : { kid }), typ: "JWT" };
  const data = `${encoded(header)}.${encoded(claims)}`;
  return `${data}.${signatureOf(algorithm, jwk, data).toString("base64url")}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** Nothing at all for what is no object. */
function decoded(part: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
