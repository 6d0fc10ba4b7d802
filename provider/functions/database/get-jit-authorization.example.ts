import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    access: {
      function: "getJitAuthorization",
      arguments: { projectRef: "${projectRef}", role: "postgres", host: "192.0.2.7" },
    },
  },
  outputs: { expiresAt: "${access.expiresAt}" },
};
