import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getRealtimeConfig", arguments: { projectRef: "${projectRef}" } } },
  outputs: { maxConcurrentUsers: "${found.maxConcurrentUsers}" },
};
