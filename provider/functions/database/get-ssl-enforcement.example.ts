import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getSslEnforcement", arguments: { projectRef: "${projectRef}" } } },
  outputs: { requiresSsl: "${found.database}" },
};
