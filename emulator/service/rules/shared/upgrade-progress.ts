import { upgradeProgress } from "../../../../spec/operations/upgrades";
import type { World } from "../../world/world";
import type { UpgradeErrorCode, UpgradeRecord, UpgradeReport } from "../../world/records/project";

type UpgradeRun = NonNullable<UpgradeRecord["run"]>;

/** Every step of an upgrade, in order (service, Upgrades). */
const steps = upgradeProgress.options;

/** From one step to the next, at pace 1. */
const STEP_MS = 10_000;
const COMPLETED_UPGRADE = 9;

/** Values of `status`: the specification leaves their meaning open. */
const RUNNING = 0;
const COMPLETED = 1;
const FAILED = 2;

/** An error code begins with the number of the last step that was reached. */
function lastStep(error: UpgradeErrorCode | null): number {
  return error === null ? steps.length - 1 : Number.parseInt(error, 10);
}

export function upgradeDurationMs(error: UpgradeErrorCode | null): number {
  return (error === null ? lastStep(error) : lastStep(error) + 1) * STEP_MS;
}

function stepAt(world: World, run: UpgradeRun): number {
  const elapsedMs = world.clock.now() - run.since;
  const stepMs = STEP_MS * world.pace;
  const reached = stepMs === 0 ? steps.length - 1 : Math.floor(elapsedMs / stepMs);
  return Math.min(reached, lastStep(run.error));
}

function hasEnded(world: World, run: UpgradeRun): boolean {
  return world.clock.now() >= run.since + upgradeDurationMs(run.error) * world.pace;
}

/** Only what fails after the upgrade itself, its backup, leaves the new version in place. */
export function upgradeHasChangedVersion(world: World, run: UpgradeRun): boolean {
  return hasEnded(world, run) && lastStep(run.error) >= COMPLETED_UPGRADE;
}

/** How an upgrade gets on. */
export function upgradeReport(world: World, run: UpgradeRun): UpgradeReport {
  const over = hasEnded(world, run);
  const step = stepAt(world, run);
  const latestAt = over
    ? run.since + upgradeDurationMs(run.error) * world.pace
    : run.since + step * STEP_MS * world.pace;
  const progress = steps[step];
  return {
    initiated_at: new Date(run.since).toISOString(),
    latest_status_at: new Date(latestAt).toISOString(),
    target_version: Number.parseInt(run.target.engine, 10),
    ...(over && run.error !== null ? { error: run.error } : {}),
    ...(progress === undefined ? {} : { progress }),
    status: !over ? RUNNING : run.error === null ? COMPLETED : FAILED,
  };
}
