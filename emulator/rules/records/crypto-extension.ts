import { derivedBytes } from "../derived-bytes";

export interface CryptoExtensionRecord {
  /** In clear, as the service returns it. */
  rootKey: string;
}

export function newCryptoExtension(ref: string): CryptoExtensionRecord {
  return { rootKey: derivedBytes(`${ref} root key`, 32).toString("hex") };
}
