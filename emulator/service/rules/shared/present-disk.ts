import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { planOf } from "./plan";
import type { DiskAttributes, DiskRecord } from "../../world/records/database";
import type { ProjectRecord } from "../../world/records/project";

export const BYTES_PER_GB = 2 ** 30;

/** One change in four hours, as the refusal says; older documents say six (service, Disk). */
const COOLDOWN_MS = 4 * 3_600_000;

/** From the call until the disk is as it was asked for, at pace 1: measured within 15 s (service, Disk). */
const CHANGING_MS = { current: 15_000, "2026-06": 30_000 };

/** The used share from which on a disk grows by itself, and from which on it counts as full: none is specified. */
const GROWING_FROM = 0.9;
const FULL_FROM = 0.95;

/** What each type takes: the specification names no number, so these are those of such disks elsewhere. */
export const ranges = {
  gp3: { sizeGb: 16_384, leastIops: 3_000, mostIops: 16_000, iopsPerGb: 500 },
  io2: { sizeGb: 65_536, leastIops: 100, mostIops: 256_000, iopsPerGb: 1_000 },
} as const;

/** The disk as it is at this moment, after it has grown if it had to. */
export function presentDisk(world: World, project: ProjectRecord): DiskAttributes {
  const { disk } = project;
  growByItself(world, project);
  const isChanging = world.clock.now() < (diskChangedAt(world, project) ?? 0);
  return isChanging && disk.before !== null ? disk.before : disk.attributes;
}

/** When the change of the disk is over, or was; null when there was none. */
export function diskChangedAt(world: World, { disk }: ProjectRecord): number | null {
  return disk.modifiedAt === null ? null : disk.modifiedAt + CHANGING_MS[world.state.service] * world.pace;
}

/** Whether there is no room left to write to, and none to come before the next change is possible. */
export function isDiskFull(world: World, project: ProjectRecord): boolean {
  return project.disk.usedBytes >= FULL_FROM * presentDisk(world, project).size_gb * BYTES_PER_GB;
}

/** How a disk grows of which nothing is set: measured from 2 GB to 8, and to 12 (service, Disk). */
const ownGrowth = { percent: 50, incrementGb: 4, leastGb: 8 };

/**
 * Grows a disk that is nearly full, at once, whenever it is looked at. As documented, that starts the waiting anew; as measured,
 * only a change by hand does (service, Disk).
 */
function growByItself(world: World, project: ProjectRecord): void {
  const { disk } = project;
  const { attributes, autoscale } = disk;
  if (disk.usedBytes < GROWING_FROM * attributes.size_gb * BYTES_PER_GB) return;
  const isWaiting = !isAsMeasured(world.state) && world.clock.now() < changeableAt(disk);
  if (planOf(world, project) === "free" || isWaiting) return;
  const { growthPercent, minIncrementGb } = autoscale;
  const wanted = Math.max(
    Math.ceil(attributes.size_gb * (1 + (growthPercent ?? ownGrowth.percent) / 100)),
    attributes.size_gb + (minIncrementGb ?? ownGrowth.incrementGb),
    growthPercent === null && minIncrementGb === null ? ownGrowth.leastGb : 0,
  );
  const size = Math.min(wanted, autoscale.maxSizeGb ?? Infinity, ranges[attributes.type].sizeGb);
  if (size <= attributes.size_gb) return;
  disk.attributes = { ...attributes, size_gb: size };
  disk.before = null;
  if (!isAsMeasured(world.state)) disk.modifiedAt = world.clock.now();
}

export function changeableAt({ modifiedAt }: DiskRecord): number {
  return modifiedAt === null ? 0 : modifiedAt + COOLDOWN_MS;
}

/** What of the disk is used, in bytes. */
export function measureDisk(
  world: World,
  project: ProjectRecord,
): { readonly size: number; readonly used: number } {
  const size = presentDisk(world, project).size_gb * BYTES_PER_GB;
  return { size, used: Math.min(project.disk.usedBytes, size) };
}
