import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    webhooks: {
      resource: "DatabaseWebhooks",
      properties: { projectRef: "${projectRef}" },
    },
  },
};
