import type { Examples } from "../example";

export const services: Examples = {
  getBuckets: {
    config: { projectRef: "text" },
    declares: { found: { function: "getBuckets", arguments: { projectRef: "${projectRef}" } } },
    outputs: { buckets: "${found.buckets}" },
  },

  getRealtimeConfig: {
    config: { projectRef: "text" },
    declares: { found: { function: "getRealtimeConfig", arguments: { projectRef: "${projectRef}" } } },
    outputs: { maxConcurrentUsers: "${found.maxConcurrentUsers}" },
  },

  getRestLayerConfig: {
    config: { projectRef: "text" },
    declares: { found: { function: "getRestLayerConfig", arguments: { projectRef: "${projectRef}" } } },
    outputs: { servedSchemas: "${found.dbSchema}" },
  },

  getStorageConfig: {
    config: { projectRef: "text" },
    declares: { found: { function: "getStorageConfig", arguments: { projectRef: "${projectRef}" } } },
    outputs: { fileSizeLimit: "${found.fileSizeLimit}" },
  },
};
