import type { jitAccess } from "../../../provider/resources/database/jit-access/jit-access";
import type { SampleOf } from "../sample";

export const sample: SampleOf<typeof jitAccess> = {
  type: "JitAccess",
  needsProject: true,
  // The newer answer, which has the state.
  prepare: ({ emulator }) => emulator.control.set("jitAccessShowsState", true),
  inputs: (projectRef) => ({ projectRef, state: "enabled" }),
  changed: (projectRef) => ({ projectRef, state: "disabled" }),
  changesBack: true,
  onService: ({ emulator }, ref) => {
    const state = emulator.world.state.projects.get(ref)?.jit.state;
    return state === "enabled" ? [{ state }] : [];
  },
  isChanged: () => false,
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref)?.jit;
    if (record) record.state = record.state === "enabled" ? "disabled" : "enabled";
  },
};
