import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    backend: {
      resource: "ApiKey",
      properties: {
        projectRef: "${projectRef}",
        type: "secret",
        name: "backend",
        description: "Used by the order service.",
        secretJwtTemplate: { role: "service_role" },
      },
    },
  },
  outputs: { backendKey: "${backend.apiKey}" },
};
