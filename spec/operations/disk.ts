import { z } from "zod";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const diskResponse = z.object({
  attributes: z.union([
    z.object({
      iops: z.int().gt(0),
      size_gb: z.int().gt(0),
      throughput_mibps: z.int().gt(0).optional(),
      type: z.literal("gp3"),
    }),
    z.object({ iops: z.int().gt(0), size_gb: z.int().gt(0), type: z.literal("io2") }),
  ]),
  last_modified_at: z.string().optional(),
});

export const diskRequestBody = z.object({
  attributes: z.discriminatedUnion("type", [
    z.object({
      iops: z.int().gt(0),
      size_gb: z.int().gt(0),
      throughput_mibps: z.int().gt(0).optional(),
      type: z.literal("gp3"),
    }),
    z.object({ iops: z.int().gt(0), size_gb: z.int().gt(0), type: z.literal("io2") }),
  ]),
});

export const diskUtilMetricsResponse = z.object({
  timestamp: z.string(),
  metrics: z.object({ fs_size_bytes: z.number(), fs_avail_bytes: z.number(), fs_used_bytes: z.number() }),
});

export const diskAutoscaleConfig = z.object({
  growth_percent: z.int().gt(0).nullable(),
  min_increment_gb: z.int().gt(0).nullable(),
  max_size_gb: z.int().gt(0).nullable(),
});

/** `GET /v1/projects/{ref}/config/disk` */
export const getDisk = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/disk",
  params: z.object({ ref: projectRef }),
  success: answers(200, diskResponse),
  errors: [401, 403, 429, 500],
  permissions: [["infra_disk_config_read"]],
});

/** `POST /v1/projects/{ref}/config/disk` */
export const updateDisk = operation({
  method: "POST",
  path: "/v1/projects/{ref}/config/disk",
  params: z.object({ ref: projectRef }),
  body: json(diskRequestBody),
  success: answersEmpty(201),
  errors: [401, 403, 429, 500],
  permissions: [["infra_disk_config_write"]],
});

/** `GET /v1/projects/{ref}/config/disk/util` */
export const getDiskUtilization = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/disk/util",
  params: z.object({ ref: projectRef }),
  success: answers(200, diskUtilMetricsResponse),
  errors: [401, 403, 429, 500],
  permissions: [["infra_disk_config_read"]],
});

/** `GET /v1/projects/{ref}/config/disk/autoscale` */
export const getDiskAutoscale = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/disk/autoscale",
  params: z.object({ ref: projectRef }),
  success: answers(200, diskAutoscaleConfig),
  errors: [401, 403, 429, 500],
  permissions: [["infra_disk_config_read"]],
});

export const diskOperations = { getDisk, updateDisk, getDiskUtilization, getDiskAutoscale };
