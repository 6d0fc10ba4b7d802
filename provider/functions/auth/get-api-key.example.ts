import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    backend: {
      function: "getApiKey",
      arguments: { projectRef: "${projectRef}", name: "backend", type: "secret" },
    },
  },
  outputs: { key: "${backend.apiKey}" },
};
