import { userIdOf } from "../../../emulator/access/caller";
import type { projectClaim } from "../../../provider/actions/projects/project-claim";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";

export const CLAIM_TOKEN = "claim_0123456789abcdefghijklmnopqrstuv";

/** As the project's owner has it, with a token for whoever claims it. */
export function offerProject({ emulator, clock }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project === undefined) return;
    project.organizationSlug = "acme";
    project.newer.claimToken = {
      token: CLAIM_TOKEN,
      alias: "claim_…",
      createdAt: clock.now(),
      expiresAt: clock.now() + 30 * 86_400_000,
      createdBy: userIdOf("owner"),
    };
  });
}

const inputs = (projectRef: string) => ({ projectRef, organizationSlug: "hobby", token: CLAIM_TOKEN });

export const sample: SampleOf<typeof projectClaim> = {
  type: "ProjectClaim",
  needsProject: true,
  needsOwnProject: true,
  replacedBy: [],
  prepare: offerProject,
  inputs,
  changed: inputs,
  onService: ({ emulator }, ref) =>
    emulator.world.state.projects.get(ref)?.organizationSlug === "hobby" ? [{ claimed: true }] : [],
  isChanged: () => true,
  cleanUp: offerProject,
  secrets: ["token"],
};
