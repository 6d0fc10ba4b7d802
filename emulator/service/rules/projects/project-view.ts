import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { World } from "../../world/world";
import { databaseOf, statusOf } from "../shared/project-status";
import type { ProjectRecord } from "../../world/records/project";
import { databaseAddress } from "../shared/hosting";

/** A project without `database`, as create answers it (service, Projects). */
export function viewProject(
  world: World,
  project: ProjectRecord,
): OperationAnswer<Operations["createProject"]> {
  const { ref, organizationSlug, name, region, createdAt } = project;
  return {
    id: ref,
    ref,
    organization_id: organizationSlug,
    organization_slug: organizationSlug,
    name,
    region,
    created_at: new Date(createdAt).toISOString(),
    status: statusOf(world, project),
  };
}

/** With `database`: in get-one and list-all only (service, Projects). */
export function viewProjectWithDatabase(
  world: World,
  project: ProjectRecord,
): OperationAnswer<Operations["getProject"]> {
  const { version, engine, releaseChannel } = databaseOf(world, project);
  return {
    ...viewProject(world, project),
    database: {
      host: databaseAddress(world, project.ref).host,
      version,
      postgres_engine: engine,
      release_channel: releaseChannel,
    },
  };
}

export function viewProjectRef({
  number,
  ref,
  name,
}: ProjectRecord): OperationAnswer<Operations["updateProject"]> {
  return { id: number, ref, name };
}
