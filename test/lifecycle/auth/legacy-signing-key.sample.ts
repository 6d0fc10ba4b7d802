import type { State } from "../../../emulator/world/state";
import type { legacySigningKey } from "../../../provider/resources/auth/legacy-signing-key/legacy-signing-key";
import { field, type SampleOf } from "../sample";
import type { Scenario } from "../scenario";

const legacyKeys = ({ emulator }: Scenario, ref: string) =>
  emulator.control.call("listSigningKeys", { ref }).keys.filter(({ algorithm }) => algorithm === "HS256");

function takeAway({ projects }: State, ref: string): void {
  const keys = projects.get(ref)?.signingKeys;
  for (const [id, { legacy }] of keys ?? []) if (legacy) keys?.delete(id);
}

export const sample: SampleOf<typeof legacySigningKey> = {
  type: "LegacySigningKey",
  needsProject: true,
  // A new project may have it from the start.
  prepare: ({ emulator }, ref) => emulator.control.edit((state) => takeAway(state, ref)),
  replacedBy: [],
  inputs: (projectRef) => ({ projectRef }),
  changed: (projectRef) => ({ projectRef }),
  onService: legacyKeys,
  isChanged: (shown) => field(shown, "status") === "in_use",
  cleanUp: ({ emulator }, ref) => emulator.control.edit((state) => takeAway(state, ref)),
  editOutside: takeAway,
  objects: {
    ids: (scenario, ref) => legacyKeys(scenario, ref).map(() => ref),
    show: (scenario, ref) => legacyKeys(scenario, ref)[0]?.status,
    // What a project has once bears the reference of the project.
    remove: ({ emulator }, _ref, id) => emulator.control.edit((state) => takeAway(state, id)),
  },
};
