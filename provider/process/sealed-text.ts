import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Texts that only who knows the same secrets can read. */
export interface Seal {
  close(text: string): string;
  /** Undefined for what these secrets have not sealed. */
  open(sealed: string): string | undefined;
}

/** The secrets must be as long as keys are: nothing slows down who guesses them. */
export function sealOf(secrets: readonly string[]): Seal {
  const key = Buffer.from(hkdfSync("sha256", JSON.stringify(secrets), "", "pulumi-management", 32));
  return {
    close: (text) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64");
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, "base64");
      try {
        const iv = bytes.subarray(0, IV_BYTES);
        const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([content, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
