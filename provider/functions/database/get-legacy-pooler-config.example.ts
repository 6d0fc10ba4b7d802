import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getLegacyPoolerConfig", arguments: { projectRef: "${projectRef}" } } },
  outputs: { poolMode: "${found.poolMode}" },
};
