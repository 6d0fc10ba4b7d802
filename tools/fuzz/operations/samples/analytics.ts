import { asDocumented, asMeasured } from "../../../fixtures/documented-service";
import type { Samples } from "../sample";

export const analyticsSamples = {
  getLogs: ({ control, clock, ref }) => {
    control.edit(asDocumented);
    return {
      ref,
      sql: "select status_code, count(*) as calls from edge_logs group by status_code",
      iso_timestamp_start: new Date(clock.now() - 3_600_000).toISOString(),
      iso_timestamp_end: new Date(clock.now()).toISOString(),
    };
  },
  queryLogs: ({ control, clock, ref }) => {
    control.edit(asMeasured);
    return {
      ref,
      sql: "select log_attributes['response.status_code'] as status, count(*) as calls from logs where source = 'edge_logs' group by status",
      iso_timestamp_start: new Date(clock.now() - 3_600_000).toISOString(),
      iso_timestamp_end: new Date(clock.now()).toISOString(),
    };
  },
  getMetrics: ({ control, ref }) => {
    control.edit(asMeasured);
    return { ref };
  },
  getUsageApiCounts: ({ ref }) => ({ ref, interval: "15min" }),
  getUsageApiRequestsCount: ({ ref }) => ({ ref }),
  getFunctionStats: ({ control, ref }) => {
    const body = { slug: "greet", name: "Greet", body: "Deno.serve()" };
    const { id } = control.call("createFunction", { ref, body });
    control.invokeFunction(ref, { slug: "greet", times: 3 });
    return { ref, interval: "1hr", function_id: id };
  },
} satisfies Partial<Samples>;
