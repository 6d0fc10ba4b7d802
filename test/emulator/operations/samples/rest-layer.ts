import type { Samples } from "../sample";

export const restLayerSamples = {
  getRestLayerConfig: ({ ref }) => ({ ref }),
  updateRestLayerConfig: ({ ref }) => ({
    ref,
    body: { db_schema: "public, api", max_rows: 100, db_pool: 5 },
  }),
} satisfies Partial<Samples>;
