import { z } from "zod";
import { derivedBytes } from "../derived-bytes";

export const cryptoExtensionRecord = z.strictObject({
  /** In clear, as the service returns it. */
  rootKey: z.string(),
});
export type CryptoExtensionRecord = z.infer<typeof cryptoExtensionRecord>;

export function newCryptoExtension(ref: string): CryptoExtensionRecord {
  return { rootKey: derivedBytes(`${ref} root key`, 32).toString("hex") };
}
