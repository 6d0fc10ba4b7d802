import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    next: {
      resource: "SigningKey",
      properties: { projectRef: "${projectRef}", algorithm: "ES256", status: "standby" },
    },
  },
  outputs: { publicKey: "${next.publicJwk}" },
};
