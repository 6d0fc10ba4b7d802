import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getPoolerConfig", arguments: { projectRef: "${projectRef}" } } },
  outputs: { connectionString: "${found.connectionString}" },
};
