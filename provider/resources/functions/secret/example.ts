import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text", paymentToken: "secret" },
  declares: {
    token: {
      resource: "Secret",
      properties: { projectRef: "${projectRef}", name: "PAYMENT_TOKEN", value: "${paymentToken}" },
    },
  },
};
