import type { Samples } from "../sample";

export const storageSamples = {
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
  getStorageConfig: ({ ref }) => ({ ref }),
  updateStorageConfig: ({ ref }) => ({
    ref,
    body: { fileSizeLimit: 1_048_576, features: { s3Protocol: { enabled: false } } },
  }),
} satisfies Partial<Samples>;
