import type { World } from "../../world/world";
import { isProvisioning } from "./branch-progress";
import type { BranchRecord } from "../../world/records/branch";
import type { ProjectRecord } from "../../world/records/project";

export function branchesOf(world: World, parent: ProjectRecord): BranchRecord[] {
  return [...world.state.branches.values()].filter(({ parentRef }) => parentRef === parent.ref);
}

/** Removes a branch with its preview project, at once. */
export function removeBranch(world: World, branch: BranchRecord): void {
  world.state.branches.delete(branch.id);
  if (branch.isDefault) return;
  world.state.projects.delete(branch.projectRef);
  world.databases.drop(branch.projectRef);
}

/** What the deletion of a parent does to its branches: one still provisioning stays behind (service, Branches). */
export function leaveOrRemoveBranches(world: World, parent: ProjectRecord): void {
  for (const branch of branchesOf(world, parent)) {
    if (!branch.isDefault && isProvisioning(world, branch)) branch.orphaned = true;
    else removeBranch(world, branch);
  }
}
