import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getAdvisors", arguments: { projectRef: "${projectRef}" } } },
  outputs: { securityFindings: "${found.security}" },
};
