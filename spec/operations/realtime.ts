import { z } from "zod";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

/** What no document lists: an answer without it is that of a service that lacks it (service, Newer fields). */
export const newerRealtimeConfigFields = { presence_enabled: z.boolean() };

export const realtimeConfigResponse = z.object({
  private_only: z.boolean().nullable(),
  connection_pool: z.int().min(1).max(100).nullable(),
  max_concurrent_users: z.int().min(1).max(50000).nullable(),
  max_events_per_second: z.int().min(1).max(50000).nullable(),
  max_bytes_per_second: z.int().min(1).max(10000000).nullable(),
  max_channels_per_client: z.int().min(1).max(10000).nullable(),
  max_joins_per_second: z.int().min(1).max(5000).nullable(),
  max_presence_events_per_second: z.int().min(1).max(5000).nullable(),
  max_payload_size_in_kb: z.int().min(1).max(10000).nullable(),
  suspend: z.boolean().nullable(),
  ...z.object(newerRealtimeConfigFields).partial().shape,
});

export const updateRealtimeConfigBody = z.strictObject({
  private_only: z.boolean().optional(),
  connection_pool: z.int().min(1).max(100).optional(),
  max_concurrent_users: z.int().min(1).max(50000).optional(),
  max_events_per_second: z.int().min(1).max(50000).optional(),
  max_bytes_per_second: z.int().min(1).max(10000000).optional(),
  max_channels_per_client: z.int().min(1).max(10000).optional(),
  max_joins_per_second: z.int().min(1).max(5000).optional(),
  max_presence_events_per_second: z.int().min(1).max(5000).optional(),
  max_payload_size_in_kb: z.int().min(1).max(10000).optional(),
  suspend: z.boolean().optional(),
  ...z.object(newerRealtimeConfigFields).partial().shape,
});

/** `GET /v1/projects/{ref}/config/realtime` */
export const getRealtimeConfig = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/realtime",
  params: z.object({ ref: projectRef }),
  success: answers(200, realtimeConfigResponse),
  errors: [401, 403, 429],
  changedPermissions: [["realtime_config_read"]],
});

/** `PATCH /v1/projects/{ref}/config/realtime` */
export const updateRealtimeConfig = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/config/realtime",
  params: z.object({ ref: projectRef }),
  body: json(updateRealtimeConfigBody),
  success: answersEmpty(204),
  errors: [401, 403, 429],
  changedPermissions: [["realtime_config_write"]],
});

/** `POST /v1/projects/{ref}/config/realtime/shutdown` */
export const shutDownRealtime = operation({
  method: "POST",
  path: "/v1/projects/{ref}/config/realtime/shutdown",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(204),
  errors: [401, 403, 404, 429],
  changedPermissions: [["realtime_config_write"]],
  idempotent: true,
});

export const realtimeOperations = { getRealtimeConfig, updateRealtimeConfig, shutDownRealtime };
