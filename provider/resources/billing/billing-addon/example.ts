import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    recovery: {
      resource: "BillingAddon",
      properties: { projectRef: "${projectRef}", addonType: "pitr", variant: "pitr_7" },
    },
  },
  outputs: { price: "${recovery.priceDescription}" },
};
