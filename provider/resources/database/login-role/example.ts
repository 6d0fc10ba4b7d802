import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    reporting: {
      resource: "LoginRole",
      properties: { projectRef: "${projectRef}", readOnly: true, rotateBefore: 120 },
    },
  },
  outputs: { user: "${reporting.role}", expiresAt: "${reporting.expiresAt}" },
};
