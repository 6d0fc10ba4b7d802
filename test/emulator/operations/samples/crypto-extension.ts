import type { Samples } from "../sample";

export const cryptoExtensionSamples = {
  getCryptoExtConfig: ({ ref }) => ({ ref }),
  updateCryptoExtConfig: ({ ref }) => ({ ref, body: { root_key: "0123456789abcdef".repeat(4) } }),
} satisfies Partial<Samples>;
