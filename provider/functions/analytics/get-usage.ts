import { z } from "zod";
import { openEnum } from "../../define/open-values";
import { getUsageApiCounts } from "../../../spec/operations/analytics";
import { ofAnalytics, requireRows } from "./analytics-result";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({
  projectRef,
  interval: openEnum(
    getUsageApiCounts.query.shape.interval
      .unwrap()
      .meta({ id: "UsageInterval", description: "Period of the counts.", beforeDigits: "Last" }),
  )
    .describe("Period of `counts`. Default: the service's choice.")
    .optional(),
});

const count = z
  .object({
    timestamp: z.string().describe("Start of the period.").optional(),
    totalAuthRequests: z.number().describe("Calls to authentication.").optional(),
    totalRealtimeRequests: z.number().describe("Calls to realtime.").optional(),
    totalRestRequests: z.number().describe("Calls to the REST layer.").optional(),
    totalStorageRequests: z.number().describe("Calls to storage.").optional(),
  })
  .describe("Calls in a period.");

const outputs = z.object({
  counts: z.array(count).describe("Calls to the services of the project, by period."),
  requestCount: z
    .number()
    .describe("Total number of calls, over a period that the service chooses independently of `interval`.")
    .optional(),
});

/** How much a project's services are called. */
export const getUsage = defineFunction({
  name: "getUsage",
  description:
    "Counts the calls to the services of a project, by period and in total. The service allows 30 calls of each count per minute.",
  inputs,
  outputs,
  problems: { ...ofProject, ...ofAnalytics },
  async run(ctx, { projectRef: ref, interval }) {
    const { api } = ctx;
    const readUsagePart = <T>(what: string, call: () => Promise<T>): Promise<T> =>
      readInProject(ctx, ref, what, () => api.ofEveryProject(ref, call));
    const [counts, requests] = await Promise.all([
      readUsagePart(`usage-counts:${interval ?? ""}`, () =>
        api.getUsageApiCounts({ ref, ...(interval !== undefined && { interval }) }),
      ),
      readUsagePart("usage-requests", () => api.getUsageApiRequestsCount({ ref })),
    ]);
    const [whole] = requireRows("getUsageApiRequestsCount", requests);
    return {
      counts: requireRows("getUsageApiCounts", counts).map((each) =>
        pickPresentFields({
          timestamp: each.timestamp,
          totalAuthRequests: each.total_auth_requests,
          totalRealtimeRequests: each.total_realtime_requests,
          totalRestRequests: each.total_rest_requests,
          totalStorageRequests: each.total_storage_requests,
        }),
      ),
      ...pickPresentFields({ requestCount: whole?.count }),
    };
  },
});
