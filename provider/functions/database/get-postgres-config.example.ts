import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getPostgresConfig", arguments: { projectRef: "${projectRef}" } } },
  outputs: { maxConnections: "${found.maxConnections}" },
};
