import { z } from "zod";
import { answersText, operation } from "../../operation";
import { projectRef } from "../../shared-fields";

/** `GET /v1/projects/{ref}/analytics/endpoints/metrics` */
export const getMetrics = operation({
  method: "GET",
  path: "/v1/projects/{ref}/analytics/endpoints/metrics",
  params: z.object({ ref: projectRef }),
  success: answersText(200),
  errors: [401, 403, 429],
  scope: "analytics:read",
  permissions: [["analytics_logs_read"]],
});

export const metricsOperations = { getMetrics };
