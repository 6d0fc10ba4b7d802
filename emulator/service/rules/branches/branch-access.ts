import type { World } from "../../world/world";
import { removeExpired } from "../shared/project-at";
import { branchesOf } from "../shared/branch-removal";
import type { BranchRecord } from "../../world/records/branch";
import type { ProjectRecord } from "../../world/records/project";
import { requireFound, Refusal } from "../../answers/refusal";

/** The branch by its id or by the ref of its preview project; the default one by its project's ref. */
export function branchAt(world: World, idOrRef: string): BranchRecord {
  removeExpired(world);
  const { branches } = world.state;
  const branch = requireFound(
    branches.get(idOrRef) ?? [...branches.values()].find(({ projectRef }) => projectRef === idOrRef),
    "Branch not found",
  );
  // service, Branches: left behind by the deletion of its parent.
  if (branch.orphaned) throw new Refusal(403, "Forbidden resource");
  return branch;
}

export function branchNamed(world: World, parent: ProjectRecord, name: string): BranchRecord | undefined {
  return branchesOf(world, parent).find((branch) => branch.name === name);
}

/** Branch names are unique within a project. */
export function requireFreeName(world: World, parent: ProjectRecord, name: string): void {
  const taken = branchNamed(world, parent, name);
  if (taken === undefined) return;
  const scheduled = taken.deletionScheduledAt === null ? "" : " and is scheduled for deletion";
  throw new Refusal(409, `A branch named ${name} exists already${scheduled}`);
}
