import type { Examples } from "../example";

export const domains: Examples = {
  getCustomHostname: {
    config: { projectRef: "text" },
    declares: { found: { function: "getCustomHostname", arguments: { projectRef: "${projectRef}" } } },
    outputs: { certificateRecords: "${found.validationRecords}" },
  },

  getVanitySubdomainAvailability: {
    config: { projectRef: "text" },
    declares: {
      found: {
        function: "getVanitySubdomainAvailability",
        arguments: { projectRef: "${projectRef}", vanitySubdomain: "shop" },
      },
    },
    outputs: { isAvailable: "${found.available}" },
  },
};
