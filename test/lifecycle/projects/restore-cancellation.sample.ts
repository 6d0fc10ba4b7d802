import type { restoreCancellation } from "../../../provider/actions/projects/restore-cancellation";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";

/** A restore that goes on until it is cancelled. */
function restore({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) Object.assign(project, { forcedStatus: "RESTORING" });
  });
}

export const sample: SampleOf<typeof restoreCancellation> = {
  type: "RestoreCancellation",
  needsProject: true,
  replacedBy: [],
  needsOwnProject: true,
  prepare: restore,
  inputs: (projectRef) => ({ projectRef }),
  changed: (projectRef) => ({ projectRef }),
  onService: ({ emulator }, ref) => {
    const status = emulator.world.state.projects.get(ref)?.forcedStatus;
    return status === null ? [{ cancelled: true }] : [];
  },
  isChanged: () => true,
  cleanUp: restore,
};
