import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getApiKeys", arguments: { projectRef: "${projectRef}" } } },
  outputs: { keys: "${found.apiKeys}" },
};
