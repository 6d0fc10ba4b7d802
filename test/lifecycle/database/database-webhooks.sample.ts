import type { databaseWebhooks } from "../../../provider/resources/database/database-webhooks/database-webhooks";
import type { SampleOf } from "../sample";

export const sample: SampleOf<typeof databaseWebhooks> = {
  type: "DatabaseWebhooks",
  needsProject: true,
  replacedBy: [],
  inputs: (projectRef) => ({ projectRef }),
  changed: (projectRef) => ({ projectRef }),
  onService: ({ emulator }, ref) =>
    emulator.world.state.projects.get(ref)?.webhooksEnabled === true ? [{ enabled: true }] : [],
  isChanged: () => true,
  // All that others can do through the API is to enable them again.
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref);
    if (record) record.webhooksEnabled = true;
  },
  cleanUp: ({ emulator }, ref) => {
    if (emulator.world.state.projects.has(ref))
      emulator.control.set(`projects.${ref}.webhooksEnabled`, false);
  },
};
