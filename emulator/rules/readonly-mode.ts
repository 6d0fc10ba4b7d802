import type { World } from "../world";
import type { ProjectRecord } from "./records/project";

/** When the override of the read-only mode ends; undefined when none is in force. */
export function overrideEnd(world: World, { readonly }: ProjectRecord): number | undefined {
  const { overrideUntil } = readonly;
  return overrideUntil !== null && world.clock.now() < overrideUntil ? overrideUntil : undefined;
}

/** Whether the database refuses every write at this moment. */
export function refusesWrites(world: World, project: ProjectRecord): boolean {
  return project.readonly.enabled && overrideEnd(world, project) === undefined;
}
