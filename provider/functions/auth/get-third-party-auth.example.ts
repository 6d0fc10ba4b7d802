import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    issuer: {
      function: "getThirdPartyAuth",
      arguments: { projectRef: "${projectRef}", oidcIssuerUrl: "https://idp.example.com" },
    },
  },
  outputs: { resolvedAt: "${issuer.resolvedAt}" },
};
