import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { World } from "../../world/world";
import { branchStatusOf } from "../shared/branch-progress";
import { databaseOf, statusOf } from "../shared/project-status";
import type { BranchRecord } from "../../world/records/branch";
import { databaseAddress } from "../shared/hosting";

export function viewBranch(world: World, branch: BranchRecord): OperationAnswer<Operations["getBranch"]> {
  const preview = world.state.projects.get(branch.projectRef);
  return {
    id: branch.id,
    name: branch.name,
    project_ref: branch.projectRef,
    parent_project_ref: branch.parentRef,
    is_default: branch.isDefault,
    ...(branch.gitBranch === null ? {} : { git_branch: branch.gitBranch }),
    persistent: branch.persistent,
    status: branchStatusOf(world, branch),
    created_at: iso(branch.createdAt),
    updated_at: iso(branch.updatedAt),
    ...(branch.reviewRequestedAt === null ? {} : { review_requested_at: iso(branch.reviewRequestedAt) }),
    with_data: branch.withData,
    ...(branch.notifyUrl === null ? {} : { notify_url: branch.notifyUrl }),
    ...(branch.deletionScheduledAt === null
      ? {}
      : { deletion_scheduled_at: iso(branch.deletionScheduledAt) }),
    ...(preview === undefined ? {} : { preview_project_status: statusOf(world, preview) }),
  };
}

/** How to reach the branch's database (service, Branches). */
export function viewBranchConfig(
  world: World,
  branch: BranchRecord,
): OperationAnswer<Operations["getBranchConfig"]> {
  const project = world.state.projects.get(branch.projectRef);
  if (project === undefined) throw new Error(`Branch ${branch.id} has lost its project ${branch.projectRef}`);
  const { version, engine, releaseChannel } = databaseOf(world, project);
  const { host, port } = databaseAddress(world, project.ref);
  return {
    ref: project.ref,
    postgres_version: version,
    postgres_engine: engine,
    release_channel: releaseChannel,
    status: statusOf(world, project),
    db_host: host,
    db_port: port,
    // service, Values that come back changed: both secrets come in clear, and both are optional.
    ...(world.state.branchCredentialsShown
      ? { db_user: "postgres", db_pass: project.dbPass, jwt_secret: project.jwtSecret }
      : {}),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
