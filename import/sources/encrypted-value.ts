import { createDecipheriv, createECDH, ECDH, hkdfSync } from "node:crypto";

const PREFIX = "encrypted:";
/** Uncompressed point, nonce and tag, before the text. */
const [POINT_BYTES, NONCE_BYTES, TAG_BYTES] = [65, 16, 16];

export function isEncrypted(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(PREFIX);
}

/** The private keys in `DOTENV_PRIVATE_KEY` and `DOTENV_PRIVATE_KEY_…`, each a list of hex. */
export function listPrivateKeys(environment: Readonly<Record<string, string | undefined>>): string[] {
  const lists = Object.entries(environment).filter(([name]) => /^DOTENV_PRIVATE_KEY(?:_.+)?$/.test(name));
  const keys = lists.flatMap(([, list]) => (list ?? "").split(","));
  return keys.map((key) => key.trim()).filter((key) => /^[0-9a-f]{64}$/i.test(key));
}

/** What `encrypted:BASE64` holds (ECIES on secp256k1 with AES-256-GCM), by the first key that opens it; undefined without one. */
export function decryptValue(value: string, keys: readonly string[]): string | undefined {
  const sealed = Buffer.from(value.slice(PREFIX.length), "base64");
  for (const key of keys) {
    try {
      return openSealed(Buffer.from(key, "hex"), sealed);
    } catch {
      // Another key may be the one.
    }
  }
  return undefined;
}

function openSealed(key: Buffer, sealed: Buffer): string {
  const parts = [POINT_BYTES, NONCE_BYTES, TAG_BYTES];
  const [point, nonce, tag] = parts.map((size, index) => {
    const start = parts.slice(0, index).reduce((sum, each) => sum + each, 0);
    return sealed.subarray(start, start + size);
  });
  if (point === undefined || nonce === undefined || tag === undefined) throw new Error("too short");
  const curve = createECDH("secp256k1");
  curve.setPrivateKey(key);
  for (const each of listPoints(curve.computeSecret(point))) {
    try {
      const secret = Buffer.from(hkdfSync("sha256", Buffer.concat([point, each]), "", "", 32));
      const decipher = createDecipheriv("aes-256-gcm", secret, nonce);
      decipher.setAuthTag(tag);
      const text = sealed.subarray(POINT_BYTES + NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
    } catch {
      // The other half of the curve.
    }
  }
  throw new Error("another key");
}

/** Both points with this x: Node computes no more of the shared one, and only the right one opens the text. */
function listPoints(x: Buffer): Buffer[] {
  return ["02", "03"].map((sign) => {
    const point = Buffer.concat([Buffer.from(sign, "hex"), x]);
    return Buffer.from(
      ECDH.convertKey(point, "secp256k1", undefined, "hex", "uncompressed").toString(),
      "hex",
    );
  });
}
