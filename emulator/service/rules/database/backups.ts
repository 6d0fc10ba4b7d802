import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { OrganizationPlan } from "../../world/state";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { planOf } from "../shared/plan";
import { activityEnd, begin } from "../shared/project-status";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

type Backups = OperationAnswer<Operations["listBackups"]>;

const DAY_MS = 24 * 3_600_000;

/** How long making a backup takes, at pace 1. */
const BACKING_UP_MS = 5 * 60_000;

/** When the first backup of a new project shows, at pace 1 (service, Backups). */
const FIRST_BACKUP_MS = 10_000;

/** What was written last reaches the archive this much later, so that it can be recovered only then. */
const ARCHIVING_MS = 2 * 60_000;

/** How many days the daily backups are kept: no number is specified. */
export const keptDays: Readonly<Record<OrganizationPlan, number>> = {
  free: 0,
  pro: 7,
  team: 14,
  enterprise: 30,
  platform: 30,
};

const listBackups: Handler<Operations["listBackups"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const range = recoverableRange(world, project);
  return {
    region: project.region,
    walg_enabled: isPhysical(project),
    pitr_enabled: project.addons.has("pitr"),
    backups: dailyBackups(world, project),
    physical_backup_data:
      range === undefined
        ? {}
        : {
            earliest_physical_backup_date_unix: range.earliest,
            latest_physical_backup_date_unix: range.latest,
          },
  };
};

/**
 * Takes the project back to a moment of the recoverable range. What is in the project's database stays as it is: the
 * embedded one keeps no history.
 */
const restorePitr: Handler<Operations["restorePitr"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "db");
  if (!project.addons.has("pitr")) {
    throw new Refusal(400, "PITR is not enabled for this project.");
  }
  const range = recoverableRange(world, project);
  if (range === undefined)
    throw new Refusal(400, "There is nothing to recover yet: try again in some minutes");
  const target = body.recovery_time_target_unix;
  if (target < range.earliest || target > range.latest) {
    throw new Refusal(
      400,
      `recovery_time_target_unix: Expected a time from ${range.earliest} to ${range.latest}, received ${target}`,
    );
  }
  begin(world, project, "restore", project.next.restore);
  project.next.restore = "ACTIVE_HEALTHY";
};

/** On every plan that was tried, after the validation and before anything is looked up (service, Backups). */
export function requireRestoresOffered({ state }: World): void {
  if (isAsMeasured(state)) throw new Refusal(400, "This endpoint is unavailable at the moment");
}

/** Takes the project back to one of its daily backups; what is in its database stays as it is, as after any restore here. */
const restoreBackup: Handler<Operations["restoreBackup"]> = ({ params, body, world }) => {
  requireRestoresOffered(world);
  const project = settledProjectAt(world, params.ref, "db");
  const backup = dailyBackups(world, project).find(
    ({ inserted_at: insertedAt }) => backupId(project, insertedAt) === body.id,
  );
  if (backup === undefined) throw new Refusal(404, "Backup not found");
  if (backup.status !== "COMPLETED") {
    throw new Refusal(400, `Backup status is ${backup.status}, but must be COMPLETED to be restored`);
  }
  begin(world, project, "restore", project.next.restore);
  project.next.restore = "ACTIVE_HEALTHY";
};

const getBackupSchedule: Handler<Operations["getBackupSchedule"]> = ({ params, world }) =>
  viewSchedule(requireSchedule(world, projectAt(world, params.ref)));

/** Unknown in which spelling: here a time of day in UTC, to the minute, which comes back to the second. */
const updateBackupSchedule: Handler<Operations["updateBackupSchedule"]> = ({ params, body, world }) => {
  const project = requireSchedule(world, settledProjectAt(world, params.ref));
  const [, time] = /^((?:[01]\d|2[0-3]):[0-5]\d)(?::00)?$/.exec(body.schedule_for) ?? [];
  if (time === undefined) {
    throw new Refusal(400, `schedule_for: Expected a time of day as 03:00, received ${body.schedule_for}`);
  }
  project.newer.backupSchedule = { scheduleFor: `${time}:00`, updatedAt: world.clock.now() };
  return viewSchedule(project);
};

function requireSchedule(world: World, project: ProjectRecord): ProjectRecord {
  const plan = planOf(world, project);
  if (isAsMeasured(world.state)) {
    if (["enterprise", "platform"].includes(plan)) return project;
    throw new Refusal(
      402,
      "This feature requires the Enterprise organization plan.",
      {},
      { error: { code: "entitlement_required", feature: "backup.schedule" } },
    );
  }
  if (plan !== "free") return project;
  throw new Refusal(402, "The backup schedule can be changed on a paid plan only");
}

function viewSchedule({ createdAt, newer }: ProjectRecord): OperationAnswer<Operations["getBackupSchedule"]> {
  const { scheduleFor, updatedAt } = newer.backupSchedule;
  return { schedule_for: scheduleFor, updated_at: new Date(updatedAt ?? createdAt).toISOString() };
}

/** One a day, counted from the project's creation. */
export function backupId({ number, createdAt }: ProjectRecord, insertedAt: string): number {
  return number * 100_000 + Math.round((Date.parse(insertedAt) - createdAt) / DAY_MS);
}

function isPhysical({ addons, backups }: ProjectRecord): boolean {
  return backups.physical || addons.has("pitr");
}

/** When the newest physical backup since the last change of the machine is complete, or was; undefined where none is made. */
export function physicalBackupAt(world: World, project: ProjectRecord): number | undefined {
  if (!isPhysical(project) || keptDays[planOf(world, project)] === 0) return undefined;
  const first = project.createdAt + FIRST_BACKUP_MS * world.pace;
  if (!["resize", "restore", "upgrade"].includes(project.activity.kind)) return first;
  return activityEnd(world, project) + BACKING_UP_MS * world.pace;
}

/** Newest first: one a day since the project's creation, and one right after it; as long as the plan keeps them. */
function dailyBackups(world: World, project: ProjectRecord): Backups["backups"] {
  const now = world.clock.now();
  const days = Math.floor((now - project.createdAt) / DAY_MS);
  const hasFirst =
    isAsMeasured(world.state) && now >= project.createdAt + FIRST_BACKUP_MS * world.pace ? 1 : 0;
  const kept = Math.min(days + hasFirst, keptDays[planOf(world, project)]);
  return Array.from({ length: kept }, (_, index) => {
    const day = days - index;
    const at = project.createdAt + day * DAY_MS;
    const insertedAt = new Date(at).toISOString();
    const isMade = day === 0 || now >= at + BACKING_UP_MS * world.pace;
    return {
      is_physical_backup: isPhysical(project),
      status: isMade ? (project.backups.statuses.get(insertedAt) ?? "COMPLETED") : "PENDING",
      inserted_at: insertedAt,
    };
  });
}

/** In seconds since the epoch; undefined without point-in-time recovery and before anything is archived. */
function recoverableRange(
  world: World,
  { addons, backups, createdAt }: ProjectRecord,
): { readonly earliest: number; readonly latest: number } | undefined {
  // The number in the variant's id is that of the days (service, Billing add-ons).
  const days = Number(/^pitr_(\d+)$/.exec(addons.get("pitr") ?? "")?.[1] ?? 0);
  if (days === 0) return undefined;
  const now = world.clock.now();
  const from = Math.max(backups.pitrSince ?? createdAt, now - days * DAY_MS);
  const to = now - ARCHIVING_MS * world.pace;
  return to < from ? undefined : { earliest: Math.ceil(from / 1_000), latest: Math.floor(to / 1_000) };
}

export const backupHandlers = {
  listBackups,
  restorePitr,
  restoreBackup,
  getBackupSchedule,
  updateBackupSchedule,
};
