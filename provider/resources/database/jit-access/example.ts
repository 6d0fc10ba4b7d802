import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    jitAccess: {
      resource: "JitAccess",
      properties: { projectRef: "${projectRef}", state: "enabled" },
    },
  },
};
