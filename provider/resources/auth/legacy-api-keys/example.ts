import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    legacy: {
      resource: "LegacyApiKeys",
      properties: { projectRef: "${projectRef}", enabled: false },
    },
  },
};
