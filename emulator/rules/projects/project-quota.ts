import { Refusal } from "../../handler";
import type { World } from "../../world/world";
import { statusOf } from "./project-status";

/** States in which a project does not count as active. */
const dormant: readonly string[] = ["INACTIVE", "PAUSING", "GOING_DOWN", "REMOVED"];

/** A plan allows a number of active projects; paused ones and branches do not count. */
export function requireRoomForActive(world: World, organizationSlug: string): void {
  const { organizations, projects, activeProjectQuotas } = world.state;
  const plan = organizations.get(organizationSlug)?.plan;
  const quota = plan === undefined ? null : activeProjectQuotas[plan];
  if (quota === null) return;
  const active = [...projects.values()].filter(
    (project) =>
      project.organizationSlug === organizationSlug &&
      project.branchId === null &&
      !dormant.includes(statusOf(world, project)),
  );
  if (active.length < quota) return;
  throw new Refusal(400, `Max number of active projects reached: the plan ${plan ?? ""} allows ${quota}`);
}
