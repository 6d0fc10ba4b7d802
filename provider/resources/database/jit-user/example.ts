import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    onCall: {
      resource: "JitUser",
      properties: {
        projectRef: "${projectRef}",
        userId: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50",
        roles: [
          {
            role: "postgres",
            expiresAt: "2030-01-31T18:00:00Z",
            allowedCidrs: ["192.0.2.0/24"],
            allowedCidrsV6: ["2001:db8::/32"],
          },
        ],
      },
    },
  },
};
