import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    partners: {
      resource: "ThirdPartyAuth",
      properties: { projectRef: "${projectRef}", oidcIssuerUrl: "https://idp.example.com" },
    },
  },
  outputs: { resolvedAt: "${partners.resolvedAt}" },
};
