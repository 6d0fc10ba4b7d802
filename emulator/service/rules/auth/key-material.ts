import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import type { z } from "zod";
import type { privateJwk } from "../../../../spec/operations/signing-keys";
import type { JsonWebKey, SigningAlgorithm } from "../../world/records/auth";
import { Refusal } from "../../answers/refusal";

export type PrivateJwk = z.output<typeof privateJwk>;

const algorithmOfType: Readonly<Record<PrivateJwk["kty"], SigningAlgorithm>> = {
  RSA: "RS256",
  EC: "ES256",
  OKP: "EdDSA",
  oct: "HS256",
};

/** Refuses a private key of another algorithm, and one whose parts do not belong together. */
export function requireMatchingKey(algorithm: SigningAlgorithm, jwk: PrivateJwk): void {
  const fits = algorithmOfType[jwk.kty];
  if (fits !== algorithm) {
    throw new Refusal(400, `private_jwk: a key of kty ${jwk.kty} is for ${fits}, not for ${algorithm}`);
  }
  if (jwk.kty === "oct") {
    if (Buffer.from(jwk.k, "base64url").length === 0) throw unsound("its k holds no bytes");
    return;
  }
  if (jwk.kty === "RSA") requireSoundRsa(jwk);
  if (!signsForItself(algorithm, jwk)) throw unsound("its private and public parts do not belong together");
}

/** A fresh private key. */
export function generateKey(algorithm: SigningAlgorithm): JsonWebKey {
  switch (algorithm) {
    case "RS256":
      return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
    case "EdDSA":
      return generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
    case "HS256":
      return { kty: "oct", k: randomBytes(64).toString("base64url") };
  }
}

/** A shared secret as a key. */
export function sharedKey(secret: string): JsonWebKey {
  return { kty: "oct", k: Buffer.from(secret).toString("base64url") };
}

/** The public half; a shared secret has none. */
export function publicJwk(id: string, algorithm: SigningAlgorithm, jwk: JsonWebKey): JsonWebKey | null {
  if (algorithm === "HS256") return null;
  return { ...publicMembers(jwk), kid: id, alg: algorithm, use: "sig", key_ops: ["verify"], ext: true };
}

export function signatureOf(algorithm: SigningAlgorithm, jwk: JsonWebKey, data: string): Buffer {
  const bytes = Buffer.from(data);
  if (algorithm === "HS256") {
    return createHmac("sha256", Buffer.from(jwk.k ?? "", "base64url"))
      .update(bytes)
      .digest();
  }
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return sign(digestOf(algorithm), bytes, { key, ...rawEcdsa });
}

export function isSignedBy(
  algorithm: SigningAlgorithm,
  jwk: JsonWebKey,
  data: string,
  signature: Buffer,
): boolean {
  if (algorithm === "HS256") {
    const expected = signatureOf(algorithm, jwk, data);
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  }
  const key = createPublicKey({ key: publicMembers(jwk), format: "jwk" });
  return verify(digestOf(algorithm), Buffer.from(data), { key, ...rawEcdsa }, signature);
}

/** JSON Web Signatures hold the two numbers of an ECDSA signature side by side. */
const rawEcdsa = { dsaEncoding: "ieee-p1363" } as const;

function digestOf(algorithm: SigningAlgorithm): string | null {
  return algorithm === "EdDSA" ? null : "sha256";
}

function publicMembers(jwk: JsonWebKey): JsonWebKey {
  const isPublic = new Set(["kty", "crv", "x", "y", "n", "e"]);
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => isPublic.has(name)));
}

function signsForItself(algorithm: SigningAlgorithm, jwk: JsonWebKey): boolean {
  const probe = "probe";
  try {
    return isSignedBy(algorithm, jwk, probe, signatureOf(algorithm, jwk, probe));
  } catch {
    throw unsound(`it is no key for ${algorithm}`);
  }
}

function unsound(why: string): Refusal {
  return new Refusal(400, `private_jwk: ${why}`);
}

type RsaJwk = Extract<PrivateJwk, { kty: "RSA" }>;

const SMALLEST_MODULUS_BITS = 2048;

/** Checks what importing does not: a library signs with any `d` and finds out about the other numbers later or never. */
function requireSoundRsa(jwk: RsaJwk): void {
  const [n, e, d, p, q, dp, dq, qi] = [jwk.n, jwk.e, jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].map(
    readNumber,
  );
  if (!n || !e || !d || !p || !q || !dp || !dq || !qi)
    throw unsound("its numbers must be above 0, in base64url");
  const bits = n.toString(2).length;
  // RFC 7518, section 3.3.
  if (bits < SMALLEST_MODULUS_BITS)
    throw unsound(`its modulus has ${bits} bits, not ${SMALLEST_MODULUS_BITS}`);
  const fitsTogether =
    p > 1n &&
    q > 1n &&
    p * q === n &&
    (e * d) % (p - 1n) === 1n &&
    (e * d) % (q - 1n) === 1n &&
    d % (p - 1n) === dp &&
    d % (q - 1n) === dq &&
    (qi * q) % p === 1n;
  if (!fitsTogether) throw unsound("its numbers do not belong together");
}

function readNumber(text: string): bigint {
  return BigInt(`0x0${Buffer.from(text, "base64url").toString("hex")}`);
}
