import { peekEntries } from "../../world/tracked-map";
import type { World } from "../../world/world";
import { serviceHealth } from "./service-health";
import { isForgotten, isRemoved, statusOf } from "./project-status";
import type { HealthService, ProjectRecord } from "../../world/records/project";
import { requireFound, Refusal } from "../../answers/refusal";

/** Drops what is over: refs that are no longer remembered, and branches whose grace period has ended. */
export function removeExpired(world: World): void {
  const { projects, branches } = world.state;
  const now = world.clock.now();
  for (const [ref, project] of peekEntries(projects)) {
    if (!isForgotten(world, project)) continue;
    projects.delete(ref);
    world.databases.drop(ref);
  }
  for (const [id, branch] of peekEntries(branches)) {
    if (branch.deletionScheduledAt === null || now < branch.deletionScheduledAt) continue;
    branches.delete(id);
    if (branch.isDefault) continue;
    projects.delete(branch.projectRef);
    world.databases.drop(branch.projectRef);
  }
}

/** The project, or the preview project of a branch, whose sub-resources a path names (service, Branches). */
export function projectAt(world: World, ref: string): ProjectRecord {
  removeExpired(world);
  const project = requireFound(world.state.projects.get(ref), "Project not found");
  // service, Errors: a project deleted a moment ago.
  if (isRemoved(world, project)) throw new Refusal(400, "Resource has been removed");
  if (project.branchId !== null) {
    // service, Branches: left behind by the deletion of its parent.
    if (world.state.branches.get(project.branchId)?.orphaned === true) throw forbidden();
    if (statusOf(world, project) !== "INACTIVE") project.lastUsedAt = world.clock.now();
  }
  return project;
}

/** The project that a path means as a whole; a branch is looked at elsewhere (service, Branches). */
export function ownProjectAt(world: World, ref: string): ProjectRecord {
  const project = projectAt(world, ref);
  if (project.branchId !== null) throw new Refusal(404, "Project not found");
  return project;
}

/** The project whose branches are managed; a branch has none (service, Branches). */
export function parentAt(world: World, ref: string): ProjectRecord {
  const project = projectAt(world, ref);
  if (project.branchId !== null) throw forbidden();
  return project;
}

/**
 * A project that takes changes of its configuration: ACTIVE_HEALTHY, and healthy in the service that they concern
 * (service, Health).
 */
export function settledProjectAt(world: World, ref: string, service?: HealthService): ProjectRecord {
  const project = projectAt(world, ref);
  requireActive(world, project);
  if (service !== undefined) {
    const { status, error } = serviceHealth(world, project, service);
    if (status !== "ACTIVE_HEALTHY") {
      throw new Refusal(400, `Service ${service} of the project is not healthy: ${error ?? status}`);
    }
  }
  return project;
}

export function requireActive(world: World, project: ProjectRecord): void {
  const status = statusOf(world, project);
  if (status !== "ACTIVE_HEALTHY") {
    throw new Refusal(400, `Project status is ${status}, but must be ACTIVE_HEALTHY for this operation`);
  }
}

function forbidden(): Refusal {
  return new Refusal(403, "Forbidden resource");
}
