import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getUsage", arguments: { projectRef: "${projectRef}", interval: "1day" } } },
  outputs: { requestCount: "${found.requestCount}" },
};
