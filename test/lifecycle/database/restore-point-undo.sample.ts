import type { restorePointUndo } from "../../../provider/actions/database/restore-point-undo";
import type { SampleOf } from "../sample";
import { restOfProject, restoresOf } from "./rest-of-project";

const NAME = "before-import";

const inputs = (projectRef: string) => ({ projectRef, confirm: projectRef, name: NAME });

export const sample: SampleOf<typeof restorePointUndo> = {
  type: "RestorePointUndo",
  needsProject: true,
  needsOwnProject: true,
  replacedBy: [],
  prepare: (scenario, ref) => {
    scenario.emulator.control.call("createRestorePoint", { ref, body: { name: NAME } });
    scenario.clock.advance(60_000);
    restOfProject(scenario, ref);
  },
  inputs,
  changed: inputs,
  onService: restoresOf,
  isChanged: () => true,
  cleanUp: restOfProject,
};
