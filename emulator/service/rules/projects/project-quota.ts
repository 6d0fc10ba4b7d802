import type { World } from "../../world/world";
import type { OrganizationPlan } from "../../world/records/organization";
import { statusOf } from "../shared/project-status";
import { Refusal } from "../../answers/refusal";

/** States in which a project does not count as active. */
const dormant: readonly string[] = ["INACTIVE", "PAUSING", "GOING_DOWN", "REMOVED"];

/** A plan allows a number of active projects; paused ones and branches do not count. */
export function requireRoomForActive(world: World, organizationSlug: string): void {
  if (hasRoomForActive(world, organizationSlug)) return;
  const { plan, quota } = quotaOf(world, organizationSlug);
  throw new Refusal(
    400,
    `Max number of active projects reached: the plan ${plan ?? ""} allows ${quota ?? 0}`,
  );
}

export function hasRoomForActive(world: World, organizationSlug: string): boolean {
  const { quota } = quotaOf(world, organizationSlug);
  if (quota === null) return true;
  const active = [...world.state.projects.values()].filter(
    (project) =>
      project.organizationSlug === organizationSlug &&
      project.branchId === null &&
      !dormant.includes(statusOf(world, project)),
  );
  return active.length < quota;
}

function quotaOf(
  { state: { organizations, activeProjectQuotas } }: World,
  organizationSlug: string,
): { readonly plan: OrganizationPlan | undefined; readonly quota: number | null } {
  const plan = organizations.get(organizationSlug)?.plan;
  return { plan, quota: plan === undefined ? null : activeProjectQuotas[plan] };
}
