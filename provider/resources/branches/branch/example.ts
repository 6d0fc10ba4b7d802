import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text", paymentToken: "secret" },
  declares: {
    preview: {
      resource: "Branch",
      properties: {
        projectRef: "${projectRef}",
        name: "checkout",
        gitBranch: "feature/checkout",
        persistent: false,
        secrets: { PAYMENT_TOKEN: "${paymentToken}" },
      },
    },
    settings: {
      resource: "PostgresConfig",
      properties: { projectRef: "${preview.ref}", statementTimeout: "30s" },
    },
  },
  outputs: { host: "${preview.host}", password: "${preview.password}" },
};
