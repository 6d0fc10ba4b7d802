import type { Examples } from "../example";

export const domains: Examples = {
  CustomHostnameActivation: {
    config: { projectRef: "text" },
    declares: {
      hostname: {
        resource: "CustomHostname",
        properties: { projectRef: "${projectRef}", customHostname: "db.example.com" },
      },
      activation: {
        comment:
          "In a whole program it also depends on the DNS records that are made of the hostname's outputs.",
        resource: "CustomHostnameActivation",
        properties: { projectRef: "${projectRef}", customHostname: "${hostname.customHostname}" },
      },
    },
    outputs: { hostnameStatus: "${activation.status}" },
  },

  CustomHostname: {
    config: { projectRef: "text" },
    declares: {
      hostname: {
        resource: "CustomHostname",
        properties: { projectRef: "${projectRef}", customHostname: "db.example.com" },
      },
    },
    outputs: {
      ownershipRecord: "${hostname.ownershipVerification}",
      certificateRecords: "${hostname.validationRecords}",
      cnameTarget: "${hostname.customOriginServer}",
    },
  },

  VanitySubdomain: {
    config: { projectRef: "text" },
    declares: {
      subdomain: {
        resource: "VanitySubdomain",
        properties: { projectRef: "${projectRef}", vanitySubdomain: "shop" },
      },
    },
    outputs: { domain: "${subdomain.customDomain}" },
  },

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
