import type { Example } from "../../../define/example";

export const example: Example = {
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
};
