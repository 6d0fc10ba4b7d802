import type { Answer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import { bucketsOf } from "../../analytics/buckets";
import { serviceOf, type CalledService } from "../../analytics/called-service";
import { queryLogs } from "../../analytics/log-query";
import { edgeLogRows, functionLogRows, projectCalls } from "../../analytics/log-rows";
import { readWindow } from "../../analytics/log-window";
import { Refusal, type AsyncHandler, type Handler } from "../../handler";
import { projectAt } from "../access";
import type { InvocationRecord } from "../records/invocation";

/** Rows of an answer without `sql`; the service's own number is unknown. */
const DEFAULT_ROWS = 100;
const DAY_MS = 24 * 3_600_000;

/** Without `sql` only the edge log source is asked (service, Analytics). */
const getLogs: AsyncHandler<Operations["getLogs"]> = async ({ params, query, world }) => {
  const project = projectAt(world, params.ref);
  const window = readWindow(query.iso_timestamp_start, query.iso_timestamp_end, world.clock.now());
  const edge = edgeLogRows(world, project, window);
  if (query.sql === undefined) return { result: edge.slice(0, DEFAULT_ROWS) };
  return queryLogs(world.databases, { edge, functions: functionLogRows(project, window) }, query.sql);
};

/** Unknown which interval is meant without one: here the last day. */
const getUsageApiCounts: Handler<Operations["getUsageApiCounts"]> = ({ params, query, world }) => {
  const calls = projectCalls(world, projectAt(world, params.ref).ref);
  const buckets = bucketsOf(calls, query.interval ?? "1day", world.clock.now());
  return {
    result: buckets.map(({ timestamp, items }) => {
      const byService = Map.groupBy(items, ({ path }) => serviceOf(path));
      const countOf = (service: CalledService): number => byService.get(service)?.length ?? 0;
      return {
        timestamp,
        total_auth_requests: countOf("auth"),
        total_realtime_requests: countOf("realtime"),
        total_rest_requests: countOf("rest"),
        total_storage_requests: countOf("storage"),
      };
    }),
  };
};

/** Unknown how far back requests are counted: here as long as logs can be asked for. */
const getUsageApiRequestsCount: Handler<Operations["getUsageApiRequestsCount"]> = ({ params, world }) => {
  const since = world.clock.now() - DAY_MS;
  const calls = projectCalls(world, projectAt(world, params.ref).ref);
  return { result: [{ count: calls.filter(({ at }) => at > since).length }] };
};

const getFunctionStats: Handler<Operations["getFunctionStats"]> = ({ params, query, world }) => {
  const { functions, invocations } = projectAt(world, params.ref);
  const id = query.function_id;
  const own = invocations.filter(({ functionId }) => functionId === id);
  const isKnown = own.length > 0 || [...functions.values()].some((each) => each.id === id);
  if (!isKnown) throw new Refusal(404, "Function not found");
  return { result: bucketsOf(own, query.interval, world.clock.now()).map(statsOf) };
};

type Stats = NonNullable<Answer<Operations["getFunctionStats"]>["result"]>[number];

function statsOf({ timestamp, items }: { timestamp: string; items: readonly InvocationRecord[] }): Stats {
  const times = items.map(({ executionMs }) => executionMs);
  const answered = (hundreds: number): number =>
    items.filter(({ statusCode }) => Math.floor(statusCode / 100) === hundreds).length;
  return {
    timestamp,
    requests_count: items.length,
    success_count: answered(2),
    redirect_count: answered(3),
    client_err_count: answered(4),
    server_err_count: answered(5),
    avg_execution_time: times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length,
    max_execution_time: times.reduce((longest, time) => Math.max(longest, time), 0),
  };
}

export const analyticsHandlers = { getLogs, getUsageApiCounts, getUsageApiRequestsCount, getFunctionStats };
