import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getUpgradeStatus", arguments: { projectRef: "${projectRef}" } } },
  outputs: { upgrade: "${found.upgrade}" },
};
