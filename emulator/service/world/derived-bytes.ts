import { createHash } from "node:crypto";

/** Bytes that follow from a seed, so that seeded ids give the same keys and passwords again. */
export function derivedBytes(seed: string, length: number): Buffer {
  return createHash("shake256", { outputLength: length }).update(seed).digest();
}

export function derivedText(seed: string, bytes: number): string {
  return derivedBytes(seed, bytes).toString("base64url");
}

/** 43 characters, as the service hashes API keys (service, API keys). */
export function sha256Base64Url(content: string): string {
  return createHash("sha256").update(content).digest("base64url");
}

export function sha256Hex(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
