import type { Samples } from "../sample";

export const billingSamples = {
  listAddons: ({ ref }) => ({ ref }),
  applyAddon: ({ ref }) => ({
    ref,
    body: { addon_type: "compute_instance", addon_variant: "ci_small" },
  }),
  removeAddon({ control, clock, ref }) {
    control.call("applyAddon", {
      ref,
      body: { addon_type: "ipv4", addon_variant: "ipv4_default" },
    });
    clock.advance(190_000);
    return { ref, addon_variant: "ipv4_default" };
  },
} satisfies Partial<Samples>;
