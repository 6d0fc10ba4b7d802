import type { Operations } from "../../../../spec/table";
import type { Database } from "../../../postgres/databases/databases";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import type { ProjectRecord } from "../../world/records/project";
import type { Handler } from "../shared/handler";
import { removeExpired, ownProjectAt, projectAt, requireActive } from "../shared/project-at";
import { leaveOrRemoveBranches } from "../shared/branch-removal";
import { requirePausable } from "../shared/plan";
import { requireAllowedSize } from "../shared/compute-sizes";
import { addProject } from "./new-project";
import { requireRoomForActive } from "./project-quota";
import { activityEnd, begin, isBeingRemoved, isRemoved, statusOf } from "../shared/project-status";
import { viewProject, viewProjectRef, viewProjectWithDatabase } from "./project-view";
import { chooseRegion } from "./regions";
import { serviceHealth } from "../shared/service-health";
import { requireFound, Refusal } from "../../answers/refusal";
import { reaches } from "../../access/caller";

const listProjects: Handler<Operations["listProjects"]> = ({ world, caller }) => {
  removeExpired(world);
  return [...world.state.projects.values()]
    .filter((project) => project.branchId === null && !isRemoved(world, project))
    .filter(({ organizationSlug }) => reaches(caller, organizationSlug))
    .map((project) => viewProjectWithDatabase(world, project));
};

const createProject: Handler<Operations["createProject"]> = ({ body, world }) => {
  const organization = requireFound(
    world.state.organizations.get(body.organization_slug),
    "Organization not found",
  );
  requireRoomForActive(world, organization.slug);
  requireAllowedSize(organization, body.desired_instance_size);
  const project = addProject(world, {
    organizationSlug: organization.slug,
    branchId: null,
    name: body.name,
    region: chooseRegion(world, body),
    dbPass: body.db_pass,
    size: body.desired_instance_size,
    engine: body.postgres_engine,
    releaseChannel: body.release_channel,
    templateUrl: body.template_url ?? null,
    outcome: organization.nextProjectOutcome,
  });
  organization.nextProjectOutcome = "ACTIVE_HEALTHY";
  return viewProject(world, project);
};

const getProject: Handler<Operations["getProject"]> = ({ params, world }) =>
  viewProjectWithDatabase(world, ownProjectAt(world, params.ref));

const updateProject: Handler<Operations["updateProject"]> = ({ params, body, world }) => {
  const project = ownProjectAt(world, params.ref);
  project.name = body.name;
  return viewProjectRef(project);
};

const deleteProject: Handler<Operations["deleteProject"]> = ({ params, world }) => {
  const project = ownProjectAt(world, params.ref);
  // Unknown what a second deletion answers while the first is under way: it is taken for the same wish.
  if (isBeingRemoved(project)) return viewProjectRef(project);
  // service, Errors: a project can be deleted too early.
  if (statusOf(world, project) === "UNKNOWN") throw new Refusal(400, "Project not ready for deletion.");
  leaveOrRemoveBranches(world, project);
  begin(world, project, "remove", "REMOVED");
  return viewProjectRef(project);
};

/** How long a project that was restored refuses to be paused, at pace 1; measured was only that it does. */
const SETTLES_AFTER_RESTORE_MS = 30_000;

function requireSettled(world: World, project: ProjectRecord): void {
  const { activity } = project;
  const settledAt = activityEnd(world, project) + SETTLES_AFTER_RESTORE_MS * world.pace;
  if (!isAsMeasured(world.state) || activity.kind !== "restore" || world.clock.now() >= settledAt) return;
  throw new Refusal(400, "Project was restored a moment ago. Please try again later.");
}

const pauseProject: Handler<Operations["pauseProject"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  requirePausable(world, project);
  requireActive(world, project);
  requireSettled(world, project);
  begin(world, project, "pause", project.next.pause);
  project.next.pause = "INACTIVE";
};

/** The project stays ACTIVE_HEALTHY (service, Health). */
const restartProject: Handler<Operations["restartProject"]> = ({ params, world }) => {
  const project = ownProjectAt(world, params.ref);
  requireActive(world, project);
  project.restartedAt = world.clock.now();
};

/** What is wrong with a service is text that holds JSON (service, Health). */
const getHealth: Handler<Operations["getHealth"]> = ({ params, query, world }) => {
  const project = projectAt(world, params.ref);
  return query.services.map((service) => {
    const { error, ...health } = serviceHealth(world, project, service);
    return error === undefined ? health : { ...health, error: JSON.stringify({ error }) };
  });
};

const updateDatabasePassword: Handler<Operations["updateDatabasePassword"]> = ({ params, body, world }) => {
  const project = projectAt(world, params.ref);
  requireActive(world, project);
  project.dbPass = body.password;
  forgetPasswordOfSql(world, params.ref);
  return { message: "Successfully updated password" };
};

/** The one set last counts. Whoever logs in after the answer waits for this. */
function forgetPasswordOfSql({ addresses, databases }: World, ref: string): void {
  if (addresses === undefined || !databases.isUsed(ref)) return;
  const forget = (database: Database): Promise<unknown> =>
    database.asPlatform(() => database.exec("alter role postgres password null"));
  databases.use(ref, forget).catch(() => undefined);
}

export const projectHandlers = {
  listProjects,
  createProject,
  getProject,
  updateProject,
  deleteProject,
  pauseProject,
  restartProject,
  getHealth,
  updateDatabasePassword,
};
