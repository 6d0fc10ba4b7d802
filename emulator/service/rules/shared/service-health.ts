import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { readyAt } from "./branch-progress";
import { activityEnd, statusOf } from "./project-status";
import type { HealthService, ProjectRecord } from "../../world/records/project";

export type ServiceHealth = OperationAnswer<Operations["getHealth"]>[number];

/** From ACTIVE_HEALTHY to each service's health at pace 1: the database first, the pooler last (service, Health). */
const delaysMs: Readonly<Record<HealthService, number>> = {
  db: 1_000,
  db_postgres_user: 2_000,
  auth: 5_000,
  rest: 7_000,
  realtime: 9_000,
  storage: 11_000,
  legacy_pooler: 16_000,
  pooler: 20_000,
};

/** A branch's services, long before its schema is there (service, Branches). */
const branchDelaysMs: Readonly<Record<HealthService, number>> = {
  db: 3_000,
  db_postgres_user: 3_000,
  auth: 4_000,
  rest: 4_000,
  realtime: 5_000,
  storage: 5_000,
  legacy_pooler: 6_000,
  pooler: 7_000,
};

/** As documented in 2026-06: a branch that is reported as ready is usable 10 to 60 s later. */
const documentedBranchDelaysMs: Readonly<Record<HealthService, number>> = {
  db: 10_000,
  db_postgres_user: 12_000,
  auth: 20_000,
  rest: 25_000,
  realtime: 30_000,
  storage: 35_000,
  legacy_pooler: 50_000,
  pooler: 60_000,
};

/** How long a restart on request leaves a service down, at pace 1, which its health shows a moment later (service, Health). */
const restartsMs: Readonly<Partial<Record<HealthService, number>>> = {
  auth: 75_000,
  storage: 78_000,
  pooler: 158_000,
};
const RESTART_SHOWS_AFTER_MS = 5_000;

function isRestarting(world: World, { restartedAt }: ProjectRecord, name: HealthService): boolean {
  const downMs = restartsMs[name];
  if (restartedAt === null || downMs === undefined) return false;
  const sinceMs = world.clock.now() - restartedAt;
  return sinceMs >= RESTART_SHOWS_AFTER_MS * world.pace && sinceMs < downMs * world.pace;
}

/** What one service of a project reports. */
export function serviceHealth(world: World, project: ProjectRecord, name: HealthService): ServiceHealth {
  const status = healthStatus(world, project, name);
  const healthy = status === "ACTIVE_HEALTHY";
  const error = errorOf(project, name, status);
  const info = infoOf(project, name, healthy);
  return {
    name,
    healthy,
    status,
    ...(info === undefined ? {} : { info }),
    ...(error === undefined ? {} : { error }),
  };
}

function healthStatus(world: World, project: ProjectRecord, name: HealthService): ServiceHealth["status"] {
  const projectStatus = statusOf(world, project);
  if (project.unhealthyServices.has(name) || isRestarting(world, project, name)) return "UNHEALTHY";
  if (["UNKNOWN", "COMING_UP", "RESTORING", "RESTARTING", "RESIZING", "UPGRADING"].includes(projectStatus)) {
    return "COMING_UP";
  }
  if (projectStatus !== "ACTIVE_HEALTHY") return "UNHEALTHY";
  if (world.clock.now() < healthyAt(world, project, name)) {
    return name === "pooler" ? "UNHEALTHY" : "COMING_UP";
  }
  // service, Health: with an empty REST `db_schema` the service never becomes healthy.
  if (name === "rest" && project.restLayer.dbSchema === "") return "UNHEALTHY";
  // service, Realtime and storage: what a suspended one reports is made up.
  return name === "realtime" && project.realtime.config.suspend === true ? "UNHEALTHY" : "ACTIVE_HEALTHY";
}

function healthyAt(world: World, project: ProjectRecord, name: HealthService): number {
  const end = activityEnd(world, project);
  if (project.activity.kind === "rest") return end;
  const branch = project.branchId === null ? undefined : world.state.branches.get(project.branchId);
  if (branch === undefined || project.activity.kind !== "create") return end + delaysMs[name] * world.pace;
  if (isAsMeasured(world.state)) return end + branchDelaysMs[name] * world.pace;
  return Math.max(end, readyAt(world, branch)) + documentedBranchDelaysMs[name] * world.pace;
}

function errorOf(
  project: ProjectRecord,
  name: HealthService,
  status: ServiceHealth["status"],
): string | undefined {
  if (status !== "UNHEALTHY") return undefined;
  const set = project.unhealthyServices.get(name);
  if (set !== undefined) return set;
  // service, Health: the pooler of a new project is "not found" for a while.
  if (name === "pooler") return "not found";
  const isSuspended = name === "realtime" && project.realtime.config.suspend === true;
  return isSuspended ? "it is suspended" : `${name} is not running`;
}

function infoOf(project: ProjectRecord, name: HealthService, healthy: boolean): ServiceHealth["info"] {
  if (name === "rest") return { db_schema: project.restLayer.dbSchema };
  if (!healthy) return undefined;
  if (name === "auth") return { name, version: "v2.180.0", description: "Authentication service" };
  if (name === "realtime") {
    return { healthy, db_connected: true, replication_connected: true, connected_cluster: 1 };
  }
  return undefined;
}
