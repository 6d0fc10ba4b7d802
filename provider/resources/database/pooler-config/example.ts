import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    pooler: {
      resource: "PoolerConfig",
      properties: { projectRef: "${projectRef}", poolMode: "transaction", defaultPoolSize: 30 },
    },
  },
  outputs: { poolerHost: "${pooler.dbHost}", poolerPort: "${pooler.dbPort}" },
};
