import { z } from "zod";
import { answers, operation, answersLarge } from "../operation";
import { projectRef, timestamp } from "../shared-fields";

/** What is wrong with a query: beside an empty result, in an answer with status 200 (service, Analytics). */
export const analyticsError = z.union([
  z.string(),
  z.object({
    code: z.number(),
    errors: z.array(
      z.object({
        domain: z.string(),
        location: z.string(),
        locationType: z.string(),
        message: z.string(),
        reason: z.string(),
      }),
    ),
    message: z.string(),
    status: z.string(),
  }),
]);

export const analyticsResponse = z.object({
  result: z.array(z.unknown()).optional(),
  error: analyticsError.optional(),
});

export const getUsageApiCountResponse = z.object({
  result: z
    .array(
      z.object({
        timestamp,
        total_auth_requests: z.number(),
        total_realtime_requests: z.number(),
        total_rest_requests: z.number(),
        total_storage_requests: z.number(),
      }),
    )
    .optional(),
  error: analyticsError.optional(),
});

export const getUsageApiRequestsCountResponse = z.object({
  result: z.array(z.object({ count: z.number() })).optional(),
  error: analyticsError.optional(),
});

/** `GET /v1/projects/{ref}/analytics/endpoints/logs.all` */
export const getLogs = operation({
  method: "GET",
  path: "/v1/projects/{ref}/analytics/endpoints/logs.all",
  params: z.object({ ref: projectRef }),
  query: z.object({
    sql: z.string().optional(),
    iso_timestamp_start: timestamp.optional(),
    iso_timestamp_end: timestamp.optional(),
  }),
  success: answersLarge(200, analyticsResponse),
  errors: [401, 403, 429],
  scope: "analytics:read",
  permissions: [["analytics_logs_read"]],
  stricterLimits: [{ limit: 30, windowMs: 60_000 }],
});

/** `GET /v1/projects/{ref}/analytics/endpoints/usage.api-counts` */
export const getUsageApiCounts = operation({
  method: "GET",
  path: "/v1/projects/{ref}/analytics/endpoints/usage.api-counts",
  params: z.object({ ref: projectRef }),
  query: z.object({ interval: z.enum(["15min", "30min", "1hr", "3hr", "1day", "3day", "7day"]).optional() }),
  success: answers(200, getUsageApiCountResponse),
  errors: [401, 403, 429, 500],
  permissions: [["analytics_usage_read"]],
  stricterLimits: [{ limit: 30, windowMs: 60_000 }],
});

/** `GET /v1/projects/{ref}/analytics/endpoints/usage.api-requests-count` */
export const getUsageApiRequestsCount = operation({
  method: "GET",
  path: "/v1/projects/{ref}/analytics/endpoints/usage.api-requests-count",
  params: z.object({ ref: projectRef }),
  success: answers(200, getUsageApiRequestsCountResponse),
  errors: [401, 403, 429, 500],
  permissions: [["analytics_usage_read"]],
  stricterLimits: [{ limit: 30, windowMs: 60_000 }],
});

/** `GET /v1/projects/{ref}/analytics/endpoints/functions.combined-stats` */
export const getFunctionStats = operation({
  method: "GET",
  path: "/v1/projects/{ref}/analytics/endpoints/functions.combined-stats",
  params: z.object({ ref: projectRef }),
  query: z.object({ interval: z.enum(["15min", "1hr", "3hr", "1day"]), function_id: z.string() }),
  success: answersLarge(200, analyticsResponse),
  errors: [401, 403, 429, 500],
  permissions: [["analytics_usage_read"]],
});

export const analyticsOperations = { getLogs, getUsageApiCounts, getUsageApiRequestsCount, getFunctionStats };
