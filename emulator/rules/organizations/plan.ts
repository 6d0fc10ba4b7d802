import type { Plan } from "../../state";
import type { World } from "../../world";
import type { ProjectRecord } from "../records/project";

/** The plan of the organization that a project belongs to. */
export function planOf({ state }: World, { organizationSlug }: ProjectRecord): Plan {
  return state.organizations.get(organizationSlug)?.plan ?? "free";
}
