import type { Samples } from "../sample";

export const sslEnforcementSamples = {
  getSslEnforcement: ({ ref }) => ({ ref }),
  updateSslEnforcement: ({ ref }) => ({ ref, body: { requestedConfig: { database: true } } }),
} satisfies Partial<Samples>;
