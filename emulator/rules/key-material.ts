import type { z } from "zod";
import type { privateJwk } from "../../spec/operations/signing-keys";
import { Refusal } from "../handler";
import { derivedText } from "./derived-bytes";
import type { SigningAlgorithm } from "./records/sub-resources";

type PrivateJwk = z.output<typeof privateJwk>;

const algorithmOfType: Readonly<Record<PrivateJwk["kty"], SigningAlgorithm>> = {
  RSA: "RS256",
  EC: "ES256",
  OKP: "EdDSA",
  oct: "HS256",
};

export function requireMatchingKey(algorithm: SigningAlgorithm, jwk: PrivateJwk): void {
  const fits = algorithmOfType[jwk.kty];
  if (fits !== algorithm) {
    throw new Refusal(400, `A private_jwk of kty ${jwk.kty} is for ${fits}, not for ${algorithm}`);
  }
}

/** The public half of a key: of the supplied private one, or made up; a shared secret has none. */
export function publicJwk(
  id: string,
  algorithm: SigningAlgorithm,
  supplied: PrivateJwk | undefined,
): Record<string, unknown> | null {
  const members = supplied === undefined ? generatedMembers(id, algorithm) : publicMembers(supplied);
  if (members === null) return null;
  return { ...members, kid: id, alg: algorithm, use: "sig", key_ops: ["verify"], ext: true };
}

function publicMembers(jwk: PrivateJwk): Record<string, unknown> | null {
  switch (jwk.kty) {
    case "RSA":
      return { kty: jwk.kty, n: jwk.n, e: jwk.e };
    case "EC":
      return { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y };
    case "OKP":
      return { kty: jwk.kty, crv: jwk.crv, x: jwk.x };
    case "oct":
      return null;
  }
}

function generatedMembers(id: string, algorithm: SigningAlgorithm): Record<string, unknown> | null {
  switch (algorithm) {
    case "RS256":
      return { kty: "RSA", n: derivedText(`${id} n`, 256), e: "AQAB" };
    case "ES256":
      return { kty: "EC", crv: "P-256", x: derivedText(`${id} x`, 32), y: derivedText(`${id} y`, 32) };
    case "EdDSA":
      return { kty: "OKP", crv: "Ed25519", x: derivedText(`${id} x`, 32) };
    case "HS256":
      return null;
  }
}
