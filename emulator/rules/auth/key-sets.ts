import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { Refusal } from "../../handler";

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/** Refuses what is no JSON Web Key Set of public keys: a private one must not be given away, a shared one is none. */
export function requireKeySet(place: string, value: unknown): void {
  const parsed = keySet.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = [place, ...(issue?.path ?? [])].map(String).join(".");
    throw new Refusal(400, `${path}: ${issue?.message ?? "not a JSON Web Key Set"}`);
  }
  for (const [index, key] of parsed.data.keys.entries()) {
    const at = `${place}.keys.${index}`;
    if (key.kty === "oct") throw new Refusal(400, `${at}: a shared secret is no public key`);
    if ("d" in key)
      throw new Refusal(400, `${at}: this is a private key, of which only the public part is wanted`);
    if (!isPublicKey(key)) throw new Refusal(400, `${at}: its parts are no key of kty ${key.kty}`);
  }
}

function isPublicKey(key: object): boolean {
  try {
    createPublicKey({ key: { ...key }, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}
