import type { Examples } from "../example";

export const network: Examples = {
  getNetworkBans: {
    config: { projectRef: "text" },
    declares: { found: { function: "getNetworkBans", arguments: { projectRef: "${projectRef}" } } },
    outputs: { bannedAddresses: "${found.addresses}" },
  },

  getNetworkRestrictions: {
    config: { projectRef: "text" },
    declares: { found: { function: "getNetworkRestrictions", arguments: { projectRef: "${projectRef}" } } },
    outputs: { allowedCidrs: "${found.allowedCidrs}" },
  },
};
