import type { Example } from "./example";

/** The program that a registry shows first. */
export const firstProgram: Example = {
  config: { dbPass: "secret", paymentToken: "secret" },
  declares: {
    shop: {
      resource: "Project",
      properties: {
        name: "shop",
        organizationSlug: "acme",
        dbPass: "${dbPass}",
        region: "eu-central-1",
      },
    },
    token: {
      resource: "Secret",
      properties: { projectRef: "${shop.ref}", name: "PAYMENT_TOKEN", value: "${paymentToken}" },
    },
    keys: { function: "getApiKeys", arguments: { projectRef: "${shop.ref}" } },
  },
  outputs: { projectRef: "${shop.ref}", apiKeys: "${keys.apiKeys}" },
};
