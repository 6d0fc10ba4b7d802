import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    current: {
      function: "getSigningKey",
      arguments: { projectRef: "${projectRef}", status: "in_use" },
    },
  },
  outputs: { algorithm: "${current.algorithm}", publicKey: "${current.publicJwk}" },
};
