import type { cryptoExtensionKey } from "../../../provider/resources/database/crypto-extension-key/crypto-extension-key";
import { field, type SampleOf } from "../sample";

const FOUND = "f0".repeat(32);
const FIRST = "01".repeat(32);
const SECOND = "02".repeat(32);

export const sample: SampleOf<typeof cryptoExtensionKey> = {
  type: "CryptoExtensionKey",
  needsProject: true,
  prepare: ({ emulator }, ref) => emulator.control.set(`projects.${ref}.cryptoExtension.rootKey`, FOUND),
  inputs: (projectRef) => ({ projectRef, rootKey: FIRST, allowKeyChange: true }),
  changed: (projectRef) => ({ projectRef, rootKey: SECOND, allowKeyChange: true }),
  onService: ({ emulator }, ref) =>
    [emulator.control.call("getCryptoExtConfig", { ref })].filter(({ root_key: key }) => key !== FOUND),
  isChanged: (shown) => field(shown, "root_key") === SECOND,
  clearAway: ({ emulator }, ref) => emulator.control.set(`projects.${ref}.cryptoExtension.rootKey`, FOUND),
  editByHand: ({ projects }, ref) => {
    const record = projects.get(ref)?.cryptoExtension;
    if (record) record.rootKey = "0a".repeat(32);
  },
  secrets: ["rootKey"],
};
