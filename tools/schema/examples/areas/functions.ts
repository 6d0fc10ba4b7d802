import type { Examples } from "../example";

export const functions: Examples = {
  getEdgeFunction: {
    config: { projectRef: "text" },
    declares: {
      hello: {
        function: "getEdgeFunction",
        arguments: { projectRef: "${projectRef}", slug: "hello", withSource: true },
      },
    },
    outputs: { version: "${hello.version}", source: "${hello.source}" },
  },

  getEdgeFunctions: {
    config: { projectRef: "text" },
    declares: { found: { function: "getEdgeFunctions", arguments: { projectRef: "${projectRef}" } } },
    outputs: { deployed: "${found.functions}" },
  },
};
