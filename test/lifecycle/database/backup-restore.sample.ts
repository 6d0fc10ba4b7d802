import type { backupRestore } from "../../../provider/actions/database/backup-restore";
import type { SampleOf } from "../sample";
import { restOfProject, restoresOf } from "./rest-of-project";

const inputs = (projectRef: string) => ({ projectRef, confirm: projectRef, backupId: 1 });

export const sample: SampleOf<typeof backupRestore> = {
  type: "BackupRestore",
  needsProject: true,
  needsOwnProject: true,
  replacedBy: [],
  // A day later there is one backup, whose identifier follows from the project's number.
  prepare: (scenario, ref) => {
    scenario.clock.advance(25 * 3_600_000);
    scenario.emulator.control.edit(({ projects }) => {
      const project = projects.get(ref);
      if (project) project.number = 0;
    });
    restOfProject(scenario, ref);
  },
  inputs,
  changed: inputs,
  onService: restoresOf,
  isChanged: () => true,
  cleanUp: restOfProject,
};
