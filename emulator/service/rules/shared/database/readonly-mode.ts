import type { World } from "../../../world/world";
import type { ProjectRecord } from "../../../world/records/project";
import { isDiskFull } from "../present-disk";

/** When the override of the read-only mode ends; undefined when none is in force. */
export function overrideEnd(world: World, { readonly }: ProjectRecord): number | undefined {
  const { overrideUntil } = readonly;
  return overrideUntil !== null && world.clock.now() < overrideUntil ? overrideUntil : undefined;
}

/** Whether the project is in read-only mode: set to it, or by a disk that is full. */
export function isReadOnly(world: World, project: ProjectRecord): boolean {
  return project.readonly.enabled || isDiskFull(world, project);
}

/** Whether the database refuses every write at this moment. */
export function refusesWrites(world: World, project: ProjectRecord): boolean {
  return isReadOnly(world, project) && overrideEnd(world, project) === undefined;
}
