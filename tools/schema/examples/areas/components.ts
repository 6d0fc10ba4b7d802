import type { Examples } from "../example";

export const components: Examples = {
  PreviewEnvironment: {
    config: { projectRef: "text", paymentToken: "secret" },
    declares: {
      preview: {
        resource: "PreviewEnvironment",
        properties: {
          parentProjectRef: "${projectRef}",
          repository: "https://forge.example.com/acme/shop",
          pullRequest: 12,
          gitBranch: "feature/search",
          migrations: "migrations",
          seed: "seed.sql",
          functions: "functions",
          secrets: { PAYMENT_TOKEN: "${paymentToken}" },
          auth: { siteUrl: "https://pr-12.preview.example.com" },
          ttlHours: 72,
        },
      },
    },
    outputs: { apiUrl: "${preview.apiUrl}", summary: "${preview.summary}" },
  },
};
