import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getEdgeFunctions", arguments: { projectRef: "${projectRef}" } } },
  outputs: { deployed: "${found.functions}" },
};
