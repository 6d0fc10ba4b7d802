import { z } from "zod";
import { answers, operation } from "../../operation";
import { projectRef, timestamp } from "../../shared-fields";
import { analyticsError } from "../analytics";

export const logsResponse = z.object({
  /** Null beside an error (service, Analytics). */
  result: z.array(z.unknown()).nullable().optional(),
  error: analyticsError.optional(),
});

/** `GET /v1/projects/{ref}/analytics/endpoints/logs` */
export const queryLogs = operation({
  method: "GET",
  path: "/v1/projects/{ref}/analytics/endpoints/logs",
  params: z.object({ ref: projectRef }),
  query: z.object({
    sql: z.string().optional(),
    iso_timestamp_start: timestamp.optional(),
    iso_timestamp_end: timestamp.optional(),
  }),
  success: answers(200, logsResponse),
  errors: [400, 401, 402, 403, 429, 500],
  scope: "analytics:read",
  permissions: [["analytics_logs_read"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
});

export const logsOperations = { queryLogs };
