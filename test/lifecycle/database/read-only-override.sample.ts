import type { readOnlyOverride } from "../../../provider/actions/database/read-only-override";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";

function becomeReadOnly({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.readonly = { enabled: true, overrideUntil: null };
  });
}

export const sample: SampleOf<typeof readOnlyOverride> = {
  type: "ReadOnlyOverride",
  needsProject: true,
  replacedBy: [],
  needsOwnProject: true,
  prepare: becomeReadOnly,
  inputs: (projectRef) => ({ projectRef }),
  changed: (projectRef) => ({ projectRef }),
  onService: ({ emulator }, ref) =>
    emulator.world.state.projects.get(ref)?.readonly.overrideUntil == null ? [] : [{ overridden: true }],
  isChanged: () => true,
  cleanUp: becomeReadOnly,
};
