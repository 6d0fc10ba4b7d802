import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text", userId: "text" },
  declares: {
    onCall: {
      resource: "JitUser",
      properties: {
        projectRef: "${projectRef}",
        userId: "${userId}",
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
