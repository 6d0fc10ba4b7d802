import type { billingAddon } from "../../../provider/resources/billing/billing-addon/billing-addon";
import { giveLargerCompute } from "../given-addons";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof billingAddon> = {
  type: "BillingAddon",
  needsProject: true,
  prepare: giveLargerCompute,
  inputs: (projectRef) => ({ projectRef, addonType: "pitr", variant: "pitr_7" }),
  changed: (projectRef) => ({ projectRef, addonType: "pitr", variant: "pitr_14" }),
  onService: ({ emulator }, ref) =>
    emulator.control
      .call("listAddons", { ref })
      .selected_addons.flatMap(({ type, variant }) => (type === "pitr" ? [variant] : [])),
  isChanged: (shown) => field(shown, "id") === "pitr_14",
  editOutside: ({ projects }, ref) => void projects.get(ref)?.addons.set("pitr", "pitr_28"),
  objects: {
    ids: ({ emulator }, ref) =>
      emulator.control.call("listAddons", { ref }).selected_addons.map(({ type }) => type),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listAddons", { ref }).selected_addons.find(({ type }) => type === id)?.variant
        .id,
    remove: ({ emulator }, ref, id) =>
      emulator.control.edit(({ projects }) => {
        // The others are those that the project has for its other resources.
        if (id === "pitr") projects.get(ref)?.addons.delete("pitr");
      }),
  },
};
