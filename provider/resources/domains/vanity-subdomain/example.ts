import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    subdomain: {
      resource: "VanitySubdomain",
      properties: { projectRef: "${projectRef}", vanitySubdomain: "shop" },
    },
  },
  outputs: { domain: "${subdomain.customDomain}" },
};
