import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    found: {
      function: "getFunctionStats",
      arguments: { projectRef: "${projectRef}", slug: "hello", interval: "1day" },
    },
  },
  outputs: { stats: "${found.stats}" },
};
