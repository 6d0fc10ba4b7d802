import type { Example } from "../../../define/example";

export const example: Example = {
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
};
