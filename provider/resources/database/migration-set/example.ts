import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    schema: {
      resource: "MigrationSet",
      properties: { projectRef: "${projectRef}", directory: "migrations" },
    },
  },
  outputs: { latest: "${schema.latestVersion}" },
};
