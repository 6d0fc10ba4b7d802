import type { cryptoExtensionKey } from "../../../provider/resources/database/crypto-extension-key/crypto-extension-key";
import { field, type SampleOf } from "../sample";

const FOUND = "root-key-that-was-found";

export const sample: SampleOf<typeof cryptoExtensionKey> = {
  type: "CryptoExtensionKey",
  needsProject: true,
  prepare: ({ emulator }, ref) => emulator.control.set(`projects.${ref}.cryptoExtension.rootKey`, FOUND),
  inputs: (projectRef) => ({ projectRef, rootKey: "first-root-key", allowKeyChange: true }),
  changed: (projectRef) => ({ projectRef, rootKey: "second-root-key", allowKeyChange: true }),
  onService: ({ emulator }, ref) =>
    [emulator.control.call("getCryptoExtConfig", { ref })].filter(({ root_key: key }) => key !== FOUND),
  isChanged: (shown) => field(shown, "root_key") === "second-root-key",
  clearAway: ({ emulator }, ref) => emulator.control.set(`projects.${ref}.cryptoExtension.rootKey`, FOUND),
  editByHand: ({ projects }, ref) => {
    const record = projects.get(ref)?.cryptoExtension;
    if (record) record.rootKey = "root-key-by-hand";
  },
  secrets: ["rootKey"],
};
