import type { Samples } from "../sample";

export const poolerSamples = {
  listPoolerConfigs: ({ ref }) => ({ ref }),
  updatePoolerConfig: ({ ref }) => ({ ref, body: { default_pool_size: 20, pool_mode: "session" } }),
  getLegacyPoolerConfig: ({ ref }) => ({ ref }),
} satisfies Partial<Samples>;
