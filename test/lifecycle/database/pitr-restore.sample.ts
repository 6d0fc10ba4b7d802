import type { pitrRestore } from "../../../provider/actions/database/pitr-restore";
import { giveLargerCompute } from "../given-addons";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";

const inputs = (projectRef: string) => ({
  projectRef,
  confirm: projectRef,
  recoveryTime: "2026-01-01T00:30:00Z",
});

/** As if nothing had been done to the project since it was made. */
function rest({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.activity = { kind: "rest", since: project.createdAt, outcome: "ACTIVE_HEALTHY" };
  });
}

export const sample: SampleOf<typeof pitrRestore> = {
  type: "PitrRestore",
  needsProject: true,
  needsOwnProject: true,
  replacedBy: [],
  prepare: (scenario, ref) => {
    giveLargerCompute(scenario, ref);
    const body = { addon_type: "pitr", addon_variant: "pitr_7" } as const;
    scenario.emulator.control.call("applyAddon", { ref, body });
    scenario.clock.advance(3_600_000);
    rest(scenario, ref);
  },
  inputs,
  changed: inputs,
  onService: ({ emulator }, ref) =>
    emulator.world.state.projects.get(ref)?.activity.kind === "restore" ? [{ restored: true }] : [],
  isChanged: () => true,
  cleanUp: rest,
};
