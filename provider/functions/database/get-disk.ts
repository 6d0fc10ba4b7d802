import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const use = z.object({
  sizeBytes: z.number().describe("Size of the file system in bytes.").optional(),
  usedBytes: z.number().describe("Used space in bytes.").optional(),
  availableBytes: z.number().describe("Free space in bytes.").optional(),
  measuredAt: z.string().describe("Time of the measurement, ISO 8601.").optional(),
});

const autoscale = z.object({
  growthPercent: z
    .int()
    .describe("Growth per step in percent. Absent if the service's default applies.")
    .optional(),
  minIncrementGb: z
    .int()
    .describe("Minimum growth per step in GB. Absent if the service's default applies.")
    .optional(),
  maxSizeGb: z
    .int()
    .describe("Maximum size in GB for automatic growth. Absent if the service's default applies.")
    .optional(),
});

const outputs = z.object({
  type: z.string().describe("Type of the disk: `gp3` or `io2`.").optional(),
  sizeGb: z.int().describe("Size of the disk in GB.").optional(),
  iops: z.int().describe("Input and output operations per second.").optional(),
  throughputMibps: z.int().describe("Throughput in MiB per second. Absent for the type `io2`.").optional(),
  lastModifiedAt: z
    .string()
    .describe("Time of the last change, ISO 8601. The next change is possible only hours later.")
    .optional(),
  use: use.describe("Usage of the disk."),
  autoscale: autoscale.describe("Automatic growth of the disk."),
});

/** The disk of a project's database. */
export const getDisk = defineFunction({
  name: "getDisk",
  description: "Reads the disk of a project's database: its attributes, its usage and its automatic growth.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const { api } = ctx;
    const readDiskPart = <T>(part: string, call: () => Promise<T>): Promise<T> =>
      readInProject(ctx, ref, `disk-${part}`, () => api.ofEveryProject(ref, call));
    const [{ attributes, last_modified_at: lastModifiedAt }, { timestamp, metrics }, growth] =
      await Promise.all([
        readDiskPart("attributes", () => api.getDisk({ ref })),
        readDiskPart("use", () => api.getDiskUtilization({ ref })),
        readDiskPart("autoscale", () => api.getDiskAutoscale({ ref })),
      ]);
    return {
      ...pickPresentFields({
        type: attributes?.type,
        sizeGb: attributes?.size_gb,
        iops: attributes?.iops,
        throughputMibps:
          attributes != null && "throughput_mibps" in attributes ? attributes.throughput_mibps : undefined,
        lastModifiedAt,
      }),
      use: pickPresentFields({
        sizeBytes: metrics?.fs_size_bytes,
        usedBytes: metrics?.fs_used_bytes,
        availableBytes: metrics?.fs_avail_bytes,
        measuredAt: timestamp,
      }),
      autoscale: pickPresentFields({
        growthPercent: growth.growth_percent,
        minIncrementGb: growth.min_increment_gb,
        maxSizeGb: growth.max_size_gb,
      }),
    };
  },
});
