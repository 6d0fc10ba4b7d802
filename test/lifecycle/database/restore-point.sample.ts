import type { restorePoint } from "../../../provider/actions/database/restore-point";
import type { SampleOf } from "../sample";

const inputs = (projectRef: string) => ({ projectRef, name: "before-import" });

export const sample: SampleOf<typeof restorePoint> = {
  type: "RestorePoint",
  needsProject: true,
  replacedBy: [],
  inputs,
  changed: inputs,
  onService: ({ emulator }, ref) => [
    ...(emulator.world.state.projects.get(ref)?.newer.restorePoints.values() ?? []),
  ],
  isChanged: () => true,
  cleanUp: ({ emulator }, ref) =>
    emulator.control.edit(({ projects }) => projects.get(ref)?.newer.restorePoints.clear()),
};
