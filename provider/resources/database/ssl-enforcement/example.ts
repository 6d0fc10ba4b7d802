import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    ssl: {
      resource: "SslEnforcement",
      properties: { projectRef: "${projectRef}", database: true },
    },
  },
};
