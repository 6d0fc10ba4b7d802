import type { Examples } from "../example";

export const billing: Examples = {
  BillingAddon: {
    config: { projectRef: "text" },
    declares: {
      recovery: {
        resource: "BillingAddon",
        properties: { projectRef: "${projectRef}", addonType: "pitr", variant: "pitr_7" },
      },
    },
    outputs: { price: "${recovery.priceDescription}" },
  },

  getBillingAddons: {
    config: { projectRef: "text" },
    declares: { found: { function: "getBillingAddons", arguments: { projectRef: "${projectRef}" } } },
    outputs: { addons: "${found.selectedAddons}" },
  },
};
