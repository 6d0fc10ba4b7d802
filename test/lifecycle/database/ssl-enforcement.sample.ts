import type { sslEnforcement } from "../../../provider/resources/database/ssl-enforcement/ssl-enforcement";
import type { SampleOf } from "../sample";

export const sample: SampleOf<typeof sslEnforcement> = {
  type: "SslEnforcement",
  needsProject: true,
  // The longer way, on which a restart and what is applied later are waited for.
  prepare: ({ emulator }) => {
    emulator.control.set("settingsRestartDatabase", true);
    emulator.control.set("changesApplyLater", true);
  },
  inputs: (projectRef) => ({ projectRef, database: true }),
  changed: (projectRef) => ({ projectRef, database: false }),
  changesBack: true,
  onService: ({ emulator }, ref) =>
    emulator.control.call("getSslEnforcement", { ref }).currentConfig.database ? [{ database: true }] : [],
  isChanged: () => false,
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref)?.sslEnforcement;
    if (record) record.database = !record.database;
  },
};
