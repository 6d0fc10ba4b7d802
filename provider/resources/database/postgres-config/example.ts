import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    settings: {
      resource: "PostgresConfig",
      properties: {
        projectRef: "${projectRef}",
        maxConnections: 120,
        statementTimeout: "30s",
        workMem: "16MB",
        trackCommitTimestamp: true,
        restartDatabase: true,
      },
    },
  },
};
