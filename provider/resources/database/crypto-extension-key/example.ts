import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text", rootKey: "secret" },
  declares: {
    encryption: {
      resource: "CryptoExtensionKey",
      properties: { projectRef: "${projectRef}", rootKey: "${rootKey}", allowKeyChange: true },
    },
  },
};
