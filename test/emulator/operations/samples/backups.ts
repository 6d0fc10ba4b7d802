import type { Samples } from "../sample";

export const backupSamples = {
  listBackups: ({ ref }) => ({ ref }),
  restorePitr({ control, clock, ref }) {
    control.call("applyAddon", {
      ref,
      body: { addon_type: "compute_instance", addon_variant: "ci_small" },
    });
    clock.advance(126_000);
    control.call("applyAddon", { ref, body: { addon_type: "pitr", addon_variant: "pitr_7" } });
    clock.advance(3_600_000);
    return { ref, body: { recovery_time_target_unix: Math.floor(clock.now() / 1_000) - 1_800 } };
  },
} satisfies Partial<Samples>;
