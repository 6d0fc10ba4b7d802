import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import type { Activity, DatabaseImage, ProjectRecord, ProjectStatus } from "../../world/records/project";
import { upgradeDurationMs, upgradeHasChangedVersion } from "./upgrade-progress";

type StatusStage = readonly [status: ProjectStatus, durationMs: number];

type Stages = Readonly<Record<Exclude<Activity["kind"], "upgrade">, readonly StatusStage[]>>;

/** What each activity passes through before its outcome, at pace 1 (service, Projects), as it was documented. */
const documented: Stages = {
  rest: [],
  create: [
    ["UNKNOWN", 2_000],
    ["COMING_UP", 30_000],
  ],
  pause: [["PAUSING", 15_000]],
  restore: [
    ["RESTORING", 20_000],
    ["COMING_UP", 15_000],
  ],
  resize: [["RESIZING", 40_000]],
  restart: [["RESTARTING", 10_000]],
  remove: [["GOING_DOWN", 15_000]],
};

/** The same as measured. How long a project that restarts shows it was not: its health does (service, Health). */
const measured: Stages = {
  ...documented,
  pause: [["PAUSING", 60_000]],
  restore: [
    ["COMING_UP", 20_000],
    ["RESTORING", 170_000],
  ],
  resize: [["RESIZING", 67_000]],
};

const STARTS_DATABASE: ReadonlySet<Activity["kind"]> = new Set(["restore", "resize", "restart", "upgrade"]);

/** How long the ref of a removed project is remembered: after that it is unknown. */
const REMOVED_REF_MS = 5 * 60_000;

/** A branch's project is told to be healthy almost at once (service, Branches). */
const branchCreate: readonly StatusStage[] = [["UNKNOWN", 2_000]];

function stagesOf({ state }: World, { activity, upgrade, branchId }: ProjectRecord): readonly StatusStage[] {
  if (activity.kind === "create" && branchId !== null && isAsMeasured(state)) return branchCreate;
  const stages = isAsMeasured(state) ? measured : documented;
  if (activity.kind === "upgrade") return [["UPGRADING", upgradeDurationMs(upgrade.run?.error ?? null)]];
  // A restore that fails never comes up (service, Projects).
  const isFailing = activity.kind === "restore" && activity.outcome !== "ACTIVE_HEALTHY";
  if (isFailing) return stages.restore.filter(([status]) => status === "RESTORING");
  return stages[activity.kind];
}

/** What the project passes through in its present activity, and when. */
export function activitySpans(
  world: World,
  project: ProjectRecord,
): readonly { readonly status: ProjectStatus; readonly from: number; readonly to: number }[] {
  let from = project.activity.since;
  return stagesOf(world, project).map(([status, durationMs]) => {
    const span = { status, from, to: from + durationMs * world.pace };
    from = span.to;
    return span;
  });
}

/** When the project's present activity is over. */
export function activityEnd(world: World, project: ProjectRecord): number {
  const totalMs = stagesOf(world, project).reduce((sum, [, durationMs]) => sum + durationMs, 0);
  return project.activity.since + totalMs * world.pace;
}

/** The project's state at this moment. */
export function statusOf(world: World, project: ProjectRecord): ProjectStatus {
  if (project.forcedStatus !== null) return project.forcedStatus;
  let until = project.activity.since;
  for (const [status, durationMs] of stagesOf(world, project)) {
    until += durationMs * world.pace;
    if (world.clock.now() < until) return status;
  }
  return isIdle(world, project) ? "INACTIVE" : project.activity.outcome;
}

/** Idle preview branches pause by themselves (service, Branches). */
function isIdle(world: World, project: ProjectRecord): boolean {
  const { branches, idleBranchPauseMs } = world.state;
  if (project.branchId === null || idleBranchPauseMs === null) return false;
  if (project.activity.outcome !== "ACTIVE_HEALTHY") return false;
  if (branches.get(project.branchId)?.persistent !== false) return false;
  const usedAt = Math.max(project.lastUsedAt, activityEnd(world, project));
  return world.clock.now() >= usedAt + idleBranchPauseMs && idleBranchPauseMs > 0;
}

export function isActive(world: World, project: ProjectRecord): boolean {
  return statusOf(world, project) === "ACTIVE_HEALTHY";
}

/** Begins an activity: what it leads to follows from the clock. */
export function begin(
  world: World,
  project: ProjectRecord,
  kind: Activity["kind"],
  outcome: ProjectStatus,
): void {
  project.activity = { kind, since: world.clock.now(), outcome };
  if (STARTS_DATABASE.has(kind)) project.startedOverrides = project.postgresOverrides;
  project.forcedStatus = null;
}

export function isBeingRemoved({ activity }: ProjectRecord): boolean {
  return activity.kind === "remove";
}

/** Whether the removal is over, so that only the ref is remembered. */
export function isRemoved(world: World, project: ProjectRecord): boolean {
  return isBeingRemoved(project) && world.clock.now() >= activityEnd(world, project);
}

/** Whether even the ref is unknown again. */
export function isForgotten(world: World, project: ProjectRecord): boolean {
  return (
    isBeingRemoved(project) && world.clock.now() >= activityEnd(world, project) + REMOVED_REF_MS * world.pace
  );
}

/** What is installed at this moment: a finished upgrade's target, else what was there before. */
export function databaseOf(world: World, project: ProjectRecord): DatabaseImage {
  const { run } = project.upgrade;
  return run !== null && upgradeHasChangedVersion(world, run) ? run.target : project.database;
}
