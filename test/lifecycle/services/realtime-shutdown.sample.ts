import type { realtimeShutdown } from "../../../provider/actions/services/realtime-shutdown";
import type { SampleOf } from "../sample";

export const sample: SampleOf<typeof realtimeShutdown> = {
  type: "RealtimeShutdown",
  needsProject: true,
  replacedBy: [],
  inputs: (projectRef) => ({ projectRef }),
  changed: (projectRef) => ({ projectRef }),
  onService: ({ emulator }, ref) =>
    emulator.world.state.projects.get(ref)?.realtime.shutDownAt == null ? [] : [{ shutDown: true }],
  isChanged: () => true,
  cleanUp: ({ emulator }, ref) =>
    emulator.control.edit(({ projects }) => {
      const project = projects.get(ref);
      if (project) project.realtime.shutDownAt = null;
    }),
};
