import type { Example } from "../../../define/example";

export const example: Example = {
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
};
