import type { Example } from "./example";

/** Keys and sign-in. */
export const authExamples: Readonly<Record<string, Example>> = {
  ApiKey: {
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
  },
  SigningKey: {
    config: { projectRef: "text" },
    declares: {
      next: {
        resource: "SigningKey",
        properties: { projectRef: "${projectRef}", algorithm: "ES256", status: "standby" },
      },
    },
    outputs: { publicKey: "${next.publicJwk}" },
  },
  SsoProvider: {
    config: { projectRef: "text" },
    declares: {
      workforce: {
        resource: "SsoProvider",
        properties: {
          projectRef: "${projectRef}",
          type: "saml",
          metadataUrl: "https://idp.example.com/saml/metadata",
          domains: ["example.com", "example.org"],
          attributeMapping: {
            keys: {
              first_name: { name: "givenName" },
              groups: { names: ["groups", "memberOf"], array: true },
            },
          },
        },
      },
    },
    outputs: { entityId: "${workforce.entityId}" },
  },
};
