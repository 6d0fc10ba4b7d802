import { newDisk } from "../../../emulator/rules/records/database";
import type { disk } from "../../../provider/resources/database/disk/disk";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof disk> = {
  type: "Disk",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, type: "gp3", sizeGb: 20, iops: 3500 }),
  changed: (projectRef) => ({ projectRef, type: "gp3", sizeGb: 20, iops: 4000, throughputMibps: 200 }),
  onService: ({ emulator }, ref) => {
    const { attributes } = emulator.control.call("getDisk", { ref });
    return attributes.size_gb === 20 ? [attributes] : [];
  },
  isChanged: (shown) => field(shown, "iops") === 4000 && field(shown, "throughput_mibps") === 200,
  // It was made hours ago, so that the service takes the next change.
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref)?.disk;
    if (!record) return;
    Object.assign(record, { before: null, modifiedAt: null });
    record.attributes = { ...record.attributes, iops: 3200 };
  },
  // The hours pass until the service takes the next change.
  afterCreate: ({ emulator }, ref) =>
    emulator.control.edit(({ projects }) => {
      const record = projects.get(ref)?.disk;
      if (record) Object.assign(record, { before: null, modifiedAt: null });
    }),
  cleanUp: ({ emulator }, ref) =>
    emulator.control.edit(({ projects }) => {
      const project = projects.get(ref);
      if (project) project.disk = newDisk();
    }),
};
