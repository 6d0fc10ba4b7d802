import type { z } from "zod";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { planOf } from "../shared/plan";
import type { DiskAttributes, DiskRecord } from "../../world/records/database";
import { Refusal } from "../../answers/refusal";
import { ranges, presentDisk, changeableAt, measureDisk } from "../shared/present-disk";

type Requested = z.output<NonNullable<Operations["updateDisk"]["body"]>["schema"]>["attributes"];

const LEAST_THROUGHPUT = 125;
const MOST_THROUGHPUT = 1_000;
const THROUGHPUT_PER_IOPS = 0.25;

const getDisk: Handler<Operations["getDisk"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const attributes = presentDisk(world, project);
  const { modifiedAt } = project.disk;
  return {
    attributes,
    ...(modifiedAt === null ? {} : { last_modified_at: new Date(modifiedAt).toISOString() }),
  };
};

const updateDisk: Handler<Operations["updateDisk"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "db");
  const before = presentDisk(world, project);
  const { disk } = project;
  const attributes = completed(body.attributes, disk.attributes);
  // Unknown whether asking for what is there counts as a change: here it does not, and starts no waiting.
  if (isSame(attributes, disk.attributes)) return;
  if (planOf(world, project) === "free")
    throw new Refusal(400, "The plan free has a disk that cannot be changed");
  requirePossible(world, attributes, disk.attributes);
  requireCooledDown(world, disk);
  disk.before = before;
  disk.attributes = attributes;
  disk.modifiedAt = world.clock.now();
};

const getDiskUtilization: Handler<Operations["getDiskUtilization"]> = ({ params, world }) => {
  const { size, used } = measureDisk(world, projectAt(world, params.ref));
  return {
    timestamp: new Date(world.clock.now()).toISOString(),
    metrics: { fs_size_bytes: size, fs_avail_bytes: size - used, fs_used_bytes: used },
  };
};

const getDiskAutoscale: Handler<Operations["getDiskAutoscale"]> = ({ params, world }) => {
  const { growthPercent, minIncrementGb, maxSizeGb } = projectAt(world, params.ref).disk.autoscale;
  return { growth_percent: growthPercent, min_increment_gb: minIncrementGb, max_size_gb: maxSizeGb };
};

function requireCooledDown(world: World, disk: DiskRecord): void {
  if (disk.modifiedAt === null || world.clock.now() >= changeableAt(disk)) return;
  const last = isAsMeasured(world.state)
    ? `. Last modified at ${new Date(disk.modifiedAt).toISOString()}`
    : "";
  throw new Refusal(429, `Database disk can only be modified once per four hours${last}`);
}

/** A throughput that is left out stays as it is. */
function completed(requested: Requested, present: DiskAttributes): DiskAttributes {
  if (requested.type === "io2") return requested;
  const kept = present.type === "gp3" ? present.throughput_mibps : LEAST_THROUGHPUT;
  return { ...requested, throughput_mibps: requested.throughput_mibps ?? kept };
}

function isSame(left: DiskAttributes, right: DiskAttributes): boolean {
  return (
    left.type === right.type &&
    left.size_gb === right.size_gb &&
    left.iops === right.iops &&
    throughputOf(left) === throughputOf(right)
  );
}

function throughputOf(attributes: DiskAttributes): number | undefined {
  return attributes.type === "gp3" ? attributes.throughput_mibps : undefined;
}

/** Measured of gp3, at every size (service, Disk). */
const MOST_GP3_IOPS = 80_000;

function requirePossible(world: World, attributes: DiskAttributes, present: DiskAttributes): void {
  const isMeasured = attributes.type === "gp3" && isAsMeasured(world.state);
  if (isMeasured) requireGp3Iops(attributes);
  const { sizeGb, leastIops, mostIops, iopsPerGb } = ranges[attributes.type];
  const objections: string[] = [];
  if (attributes.size_gb < present.size_gb) {
    objections.push(`size_gb cannot shrink from ${present.size_gb} to ${attributes.size_gb}`);
  }
  if (attributes.size_gb > sizeGb) objections.push(`size_gb is at most ${sizeGb}`);
  const iopsForSize = Math.max(leastIops, Math.min(mostIops, attributes.size_gb * iopsPerGb));
  if (!isMeasured && (attributes.iops < leastIops || attributes.iops > iopsForSize)) {
    objections.push(`iops is ${leastIops} to ${iopsForSize} for ${attributes.size_gb} GB`);
  }
  const throughput = throughputOf(attributes);
  const throughputForIops = Math.min(MOST_THROUGHPUT, attributes.iops * THROUGHPUT_PER_IOPS);
  if (throughput !== undefined && (throughput < LEAST_THROUGHPUT || throughput > throughputForIops)) {
    objections.push(
      `throughput_mibps is ${LEAST_THROUGHPUT} to ${throughputForIops} at ${attributes.iops} iops`,
    );
  }
  if (objections.length === 0) return;
  throw new Refusal(400, `A disk of type ${attributes.type} cannot be like this: ${objections.join("; ")}`);
}

function requireGp3Iops({ iops, size_gb: size }: DiskAttributes): void {
  const { leastIops, iopsPerGb } = ranges.gp3;
  if (iops >= leastIops && iops <= Math.min(size * iopsPerGb, MOST_GP3_IOPS)) return;
  throw new Refusal(
    400,
    `Invalid IOPS value for gp3 volume ${iops}. Minimum is 3000. Max is 500 IOPS per GB or 80,000, whichever is lower.`,
  );
}

export const diskHandlers = { getDisk, updateDisk, getDiskUtilization, getDiskAutoscale };
