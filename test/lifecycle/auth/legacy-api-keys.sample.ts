import type { legacyApiKeys } from "../../../provider/resources/auth/legacy-api-keys/legacy-api-keys";
import type { SampleOf } from "../sample";

export const sample: SampleOf<typeof legacyApiKeys> = {
  type: "LegacyApiKeys",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, enabled: false }),
  changed: (projectRef) => ({ projectRef, enabled: true }),
  changesBack: true,
  onService: ({ emulator }, ref) =>
    emulator.control.call("getLegacyApiKeys", { ref }).enabled ? [] : [{ enabled: false }],
  isChanged: () => false,
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref);
    if (record) record.legacyApiKeysEnabled = !record.legacyApiKeysEnabled;
  },
};
