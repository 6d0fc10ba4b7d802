import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { hasRoomForActive } from "../projects/project-quota";
import { branchesOf } from "../shared/branch-removal";
import { planOf } from "../shared/plan";
import type { OrganizationRecord } from "../../world/records/organization";
import type { ProjectRecord } from "../../world/records/project";
import type { World } from "../../world/world";

type MoveJudgement = OperationAnswer<Operations["checkProjectTransfer"]>["data"]["attributes"];

/** Key of the error where the plan of the organization has no room for another active project. */
export const PROJECT_LIMIT = "project_limit";

/** What stands against a move of the project to an organization, and what it changes; the keys are made up (service, Transfers). */
export function judgeMove(
  world: World,
  project: ProjectRecord,
  { slug, plan }: OrganizationRecord,
): MoveJudgement {
  const source = planOf(world, project);
  const isThere = project.organizationSlug === slug;
  const isFull = !hasRoomForActive(world, slug);
  const errors = [
    ...(isThere
      ? [{ key: "same_organization", message: `The project belongs to the organization ${slug} already` }]
      : []),
    ...(isFull
      ? [{ key: PROJECT_LIMIT, message: `The organization ${slug} has no room for another project` }]
      : []),
  ];
  return {
    valid: errors.length === 0,
    warnings:
      source === plan ? [] : [{ key: "plan_changes", message: `The plan changes from ${source} to ${plan}` }],
    errors,
    info: [{ key: "members_change", message: `Its members will be those of ${slug}` }],
  };
}

/** The project goes over to the organization, with its branches (decision 0021). */
export function moveProject(world: World, project: ProjectRecord, slug: string): void {
  project.organizationSlug = slug;
  project.newer.claimToken = null;
  for (const { projectRef } of branchesOf(world, project)) {
    const preview = world.state.projects.get(projectRef);
    if (preview !== undefined) preview.organizationSlug = slug;
  }
}
