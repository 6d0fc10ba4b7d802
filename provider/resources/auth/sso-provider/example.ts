import type { Example } from "../../../define/example";

export const example: Example = {
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
};
