import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    stopTheRestore: {
      resource: "RestoreCancellation",
      properties: { projectRef: "${projectRef}", triggers: { ticket: "4711" } },
    },
  },
};
