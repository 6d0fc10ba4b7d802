import type { Examples } from "../example";

export const network: Examples = {
  AllowedCidr: {
    config: { projectRef: "text" },
    declares: {
      office: {
        resource: "AllowedCidr",
        properties: { projectRef: "${projectRef}", cidr: "203.0.113.0/24" },
      },
      build: {
        resource: "AllowedCidr",
        properties: { projectRef: "${projectRef}", cidr: "2001:db8:42::/48" },
      },
    },
  },

  NetworkRestrictions: {
    config: { projectRef: "text" },
    declares: {
      office: {
        resource: "NetworkRestrictions",
        properties: {
          projectRef: "${projectRef}",
          allowedCidrs: ["203.0.113.0/24", "198.51.100.7/32"],
          allowedCidrsV6: ["2001:db8:42::/48"],
        },
      },
    },
  },

  NetworkBanRemoval: {
    config: { projectRef: "text" },
    declares: {
      letTheOfficeIn: {
        comment: "Another text among the triggers ends the bans again.",
        resource: "NetworkBanRemoval",
        properties: {
          projectRef: "${projectRef}",
          ipv4Addresses: ["203.0.113.7"],
          triggers: ["ticket 4711"],
        },
      },
    },
    outputs: { doneAt: "${letTheOfficeIn.ranAt}" },
  },

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
