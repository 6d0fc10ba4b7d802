import type { Examples } from "../example";

export const services: Examples = {
  RealtimeConfig: {
    config: { projectRef: "text" },
    declares: {
      realtime: {
        resource: "RealtimeConfig",
        properties: {
          projectRef: "${projectRef}",
          privateOnly: true,
          maxConcurrentUsers: 500,
          maxEventsPerSecond: 200,
        },
      },
    },
  },

  RestLayerConfig: {
    config: { projectRef: "text" },
    declares: {
      restLayer: {
        resource: "RestLayerConfig",
        properties: {
          projectRef: "${projectRef}",
          dbSchema: "public,graphql_public,api",
          dbExtraSearchPath: "public, extensions",
          maxRows: 500,
        },
      },
    },
  },

  StorageConfig: {
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
  },

  RealtimeShutdown: {
    config: { projectRef: "text" },
    declares: {
      settings: {
        resource: "RealtimeConfig",
        properties: { projectRef: "${projectRef}", privateOnly: true },
      },
      reconnect: {
        comment: "Who is connected already connects again, by the new settings.",
        resource: "RealtimeShutdown",
        properties: { projectRef: "${projectRef}", triggers: ["${settings.privateOnly}"] },
      },
    },
  },

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
