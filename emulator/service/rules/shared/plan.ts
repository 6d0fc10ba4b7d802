import { isAsMeasured, type OrganizationPlan } from "../../world/state";
import type { World } from "../../world/world";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** The plan of the organization that a project belongs to. */
export function planOf({ state }: World, { organizationSlug }: ProjectRecord): OrganizationPlan {
  return state.organizations.get(organizationSlug)?.plan ?? "free";
}

/** Only projects of the free plan and of the platform plan are paused on request (service, Compute size); preview projects pause by themselves on any. */
export function requirePausable(world: World, project: ProjectRecord): void {
  const plan = planOf(world, project);
  if (project.branchId !== null || plan === "free") return;
  if (!isAsMeasured(world.state)) throw new Refusal(400, "Project is not free-tier, so it cannot be paused");
  if (plan === "platform") return;
  throw new Refusal(400, "Project is not free-tier. Please downgrade it to free-tier first and try again.");
}
