import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getDisk", arguments: { projectRef: "${projectRef}" } } },
  outputs: { diskUse: "${found.use}" },
};
