import type { Examples } from "../example";

export const billing: Examples = {
  getBillingAddons: {
    config: { projectRef: "text" },
    declares: { found: { function: "getBillingAddons", arguments: { projectRef: "${projectRef}" } } },
    outputs: { addons: "${found.selectedAddons}" },
  },
};
