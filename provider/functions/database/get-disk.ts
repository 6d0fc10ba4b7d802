import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { presentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const use = z.object({
  sizeBytes: z.number().describe("Size of the file system in bytes.").optional(),
  usedBytes: z.number().describe("Used space in bytes.").optional(),
  availableBytes: z.number().describe("Free space in bytes.").optional(),
  measuredAt: z.string().describe("Time of the measurement.").optional(),
});

const autoscale = z.object({
  growthPercent: z
    .int()
    .describe("By how many percent the disk grows at a time; absent where the default of the service counts.")
    .optional(),
  minIncrementGb: z
    .int()
    .describe("By how many GB it grows at least; absent where the default of the service counts.")
    .optional(),
  maxSizeGb: z
    .int()
    .describe("Size in GB up to which it grows by itself; absent where the default of the service counts.")
    .optional(),
});

const outputs = z.object({
  type: z.string().describe("Type of the disk: `gp3` or `io2`.").optional(),
  sizeGb: z.int().describe("Size of the disk in GB.").optional(),
  iops: z.int().describe("Input and output operations per second.").optional(),
  throughputMibps: z
    .int()
    .describe("Throughput in MiB per second; a disk of the type `io2` has none.")
    .optional(),
  lastModifiedAt: z
    .string()
    .describe("When the disk was last changed; the service takes the next change hours later.")
    .optional(),
  use: use.describe("How much of the disk is in use."),
  autoscale: autoscale.describe("How the disk grows by itself."),
});

/** The disk of a project's database. */
export const getDisk = defineFunction({
  name: "getDisk",
  description: "Reads the disk of a project's database: its attributes, its use, and how it grows by itself.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const { api } = ctx;
    const read = <T>(part: string, call: () => Promise<T>): Promise<T> =>
      readInProject(ctx, ref, `disk-${part}`, () => api.ofEveryProject(ref, call));
    const [{ attributes, last_modified_at: lastModifiedAt }, { timestamp, metrics }, growth] =
      await Promise.all([
        read("attributes", () => api.getDisk({ ref })),
        read("use", () => api.getDiskUtilization({ ref })),
        read("autoscale", () => api.getDiskAutoscale({ ref })),
      ]);
    return {
      ...presentFields({
        type: attributes?.type,
        sizeGb: attributes?.size_gb,
        iops: attributes?.iops,
        throughputMibps:
          attributes != null && "throughput_mibps" in attributes ? attributes.throughput_mibps : undefined,
        lastModifiedAt,
      }),
      use: presentFields({
        sizeBytes: metrics?.fs_size_bytes,
        usedBytes: metrics?.fs_used_bytes,
        availableBytes: metrics?.fs_avail_bytes,
        measuredAt: timestamp,
      }),
      autoscale: presentFields({
        growthPercent: growth.growth_percent,
        minIncrementGb: growth.min_increment_gb,
        maxSizeGb: growth.max_size_gb,
      }),
    };
  },
});
