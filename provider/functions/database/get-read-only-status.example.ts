import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getReadOnlyStatus", arguments: { projectRef: "${projectRef}" } } },
  outputs: { isReadOnly: "${found.enabled}" },
};
