import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    storage: {
      resource: "StorageConfig",
      properties: {
        projectRef: "${projectRef}",
        fileSizeLimit: 20971520,
        features: { s3Protocol: { enabled: true }, vectorBuckets: { enabled: true, maxBuckets: 20 } },
      },
    },
  },
};
