import type { Samples } from "../sample";

export const serviceSamples = {
  getRealtimeConfig: ({ ref }) => ({ ref }),
  updateRealtimeConfig: ({ ref }) => ({ ref, body: { max_concurrent_users: 500, private_only: true } }),
  shutDownRealtime: ({ ref }) => ({ ref }),
  getRestLayerConfig: ({ ref }) => ({ ref }),
  updateRestLayerConfig: ({ ref }) => ({
    ref,
    body: { db_schema: "public, api", max_rows: 100, db_pool: 5 },
  }),
  listBuckets({ control, clock, ref }) {
    control.set(`projects.${ref}.storage.buckets.avatars`, {
      name: "avatars",
      owner: "",
      public: true,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
    return { ref };
  },
  getProjectConfig: ({ ref }) => ({ ref }),
  getStorageConfig: ({ ref }) => ({ ref }),
  updateStorageConfig: ({ ref }) => ({
    ref,
    body: { fileSizeLimit: 1_048_576, features: { s3Protocol: { enabled: false } } },
  }),
} satisfies Partial<Samples>;
