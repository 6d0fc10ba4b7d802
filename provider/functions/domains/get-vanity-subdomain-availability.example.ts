import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    found: {
      function: "getVanitySubdomainAvailability",
      arguments: { projectRef: "${projectRef}", vanitySubdomain: "shop" },
    },
  },
  outputs: { isAvailable: "${found.available}" },
};
