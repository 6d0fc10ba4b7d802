import type { World } from "../../world/world";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** 402: the plan's function quota is reached (service, Limits). */
export function requireRoomFor(world: World, project: ProjectRecord, slugs: readonly string[]): void {
  const { organizations, functionQuotas } = world.state;
  const organization = organizations.get(project.organizationSlug);
  const quota = organization === undefined ? null : functionQuotas[organization.plan];
  if (quota === null) return;
  const added = new Set(slugs.filter((slug) => !project.functions.has(slug))).size;
  if (added === 0 || project.functions.size + added <= quota) return;
  const plan = organization?.plan ?? "";
  throw new Refusal(402, `Max number of functions reached for project: the plan ${plan} allows ${quota}`);
}
