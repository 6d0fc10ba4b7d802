import type { projectClaimToken } from "../../../provider/resources/projects/project-claim-token/project-claim-token";
import type { SampleOf } from "../sample";

const inputs = (projectRef: string) => ({ projectRef });

export const sample: SampleOf<typeof projectClaimToken> = {
  type: "ProjectClaimToken",
  needsProject: true,
  replacedBy: [],
  inputs,
  changed: inputs,
  onService: ({ emulator }, ref) => {
    const token = emulator.world.state.projects.get(ref)?.newer.claimToken;
    return token == null ? [] : [token];
  },
  isChanged: () => true,
  secrets: ["token"],
  objects: {
    ids: ({ emulator }, ref) =>
      emulator.world.state.projects.get(ref)?.newer.claimToken == null ? [] : [ref],
    show: ({ emulator }, ref) => emulator.world.state.projects.get(ref)?.newer.claimToken ?? undefined,
  },
};
