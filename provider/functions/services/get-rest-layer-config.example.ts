import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getRestLayerConfig", arguments: { projectRef: "${projectRef}" } } },
  outputs: { servedSchemas: "${found.dbSchema}" },
};
