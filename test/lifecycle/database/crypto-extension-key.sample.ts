import type { cryptoExtensionKey } from "../../../provider/resources/database/crypto-extension-key/crypto-extension-key";
import { field, type SampleOf } from "../sample";

const FOUND = "0".repeat(64);
const FIRST = "a1b2c3d4".repeat(8);
const SECOND = "b2c3d4e5".repeat(8);

export const sample: SampleOf<typeof cryptoExtensionKey> = {
  type: "CryptoExtensionKey",
  needsProject: true,
  prepare: ({ emulator }, ref) => emulator.control.set(`projects.${ref}.cryptoExtension.rootKey`, FOUND),
  inputs: (projectRef) => ({ projectRef, rootKey: FIRST, allowKeyChange: true }),
  changed: (projectRef) => ({ projectRef, rootKey: SECOND, allowKeyChange: true }),
  onService: ({ emulator }, ref) =>
    [emulator.control.call("getCryptoExtConfig", { ref })].filter(({ root_key: key }) => key !== FOUND),
  isChanged: (shown) => field(shown, "root_key") === SECOND,
  cleanUp: ({ emulator }, ref) => emulator.control.set(`projects.${ref}.cryptoExtension.rootKey`, FOUND),
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref)?.cryptoExtension;
    if (record) record.rootKey = "c3d4e5f6".repeat(8);
  },
  secrets: ["rootKey"],
};
