import type { pitrRestore } from "../../../provider/actions/database/pitr-restore";
import { giveLargerCompute } from "../given-addons";
import type { SampleOf } from "../sample";
import { restOfProject, restoresOf } from "./rest-of-project";

const inputs = (projectRef: string) => ({
  projectRef,
  confirm: projectRef,
  recoveryTime: "2026-01-01T00:30:00Z",
});

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
    restOfProject(scenario, ref);
  },
  inputs,
  changed: inputs,
  onService: restoresOf,
  isChanged: () => true,
  cleanUp: restOfProject,
};
