import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getBillingAddons", arguments: { projectRef: "${projectRef}" } } },
  outputs: { addons: "${found.selectedAddons}" },
};
