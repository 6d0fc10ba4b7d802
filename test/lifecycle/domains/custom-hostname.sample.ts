import type { customHostname } from "../../../provider/resources/domains/custom-hostname/custom-hostname";
import { giveDomainAddon } from "../given-addons";
import { field, type SampleOf } from "../sample";
import { publishRecords } from "../../../tools/engine/emulated-dns";

export const sample: SampleOf<typeof customHostname> = {
  type: "CustomHostname",
  needsProject: true,
  prepare: giveDomainAddon,
  inputs: (projectRef) => ({ projectRef, customHostname: "db.example.com" }),
  changed: (projectRef) => ({ projectRef, customHostname: "db.example.com", activate: true }),
  onService: ({ emulator }, ref) => {
    try {
      return [emulator.control.call("getCustomHostname", { ref })];
    } catch {
      return [];
    }
  },
  isChanged: (shown) => field(shown, "status") === "5_services_reconfigured",
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref)?.customHostname;
    if (record) record.activatedAt = null;
  },
  afterCreate: publishRecords,
  objects: {
    ids: ({ emulator }, ref) => {
      try {
        emulator.control.call("getCustomHostname", { ref });
        return [ref];
      } catch {
        return [];
      }
    },
    show: ({ emulator }, ref) => emulator.control.call("getCustomHostname", { ref }).custom_hostname,
  },
};
