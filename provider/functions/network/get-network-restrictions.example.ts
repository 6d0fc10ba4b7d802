import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getNetworkRestrictions", arguments: { projectRef: "${projectRef}" } } },
  outputs: { allowedCidrs: "${found.allowedCidrs}" },
};
