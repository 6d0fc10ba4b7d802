import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    hello: {
      function: "getEdgeFunction",
      arguments: { projectRef: "${projectRef}", slug: "hello", withSource: true },
    },
  },
  outputs: { version: "${hello.version}", source: "${hello.source}" },
};
