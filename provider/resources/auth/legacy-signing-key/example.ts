import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    legacy: { resource: "LegacySigningKey", properties: { projectRef: "${projectRef}" } },
  },
  outputs: { keyId: "${legacy.keyId}" },
};
