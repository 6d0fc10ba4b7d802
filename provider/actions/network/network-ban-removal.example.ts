import type { Example } from "../../define/example";

export const example: Example = {
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
};
