import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { serviceOf, edgeLogRows, functionLogRows, logRows, projectCalls, readWindow } from "./log-rows";
import {
  BACKEND_ERROR,
  queryCurrentLogs,
  queryLogs as queryFormerLogs,
} from "../../../postgres/logs/log-query";
import type { AsyncHandler, Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import { projectAt } from "../shared/project-at";
import { measureDisk } from "../shared/present-disk";
import type { InvocationRecord } from "../../world/records/functions";
import { Refusal } from "../../answers/refusal";
import type { CalledService } from "../../../postgres/logs/log-row";

/** Rows of an answer without `sql`; the service's own number is unknown. */
const DEFAULT_ROWS = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Without `sql` only the edge log source is asked (service, Analytics). */
const getLogs: AsyncHandler<Operations["getLogs"]> = async ({ params, query, world }) => {
  const project = projectAt(world, params.ref);
  if (isAsMeasured(world.state)) throw new Refusal(410, "Gone");
  const window = readWindow(query.iso_timestamp_start, query.iso_timestamp_end, world.clock.now());
  const edge = edgeLogRows(world, project, window);
  if (query.sql === undefined) return { result: edge.slice(0, DEFAULT_ROWS) };
  return queryFormerLogs(world.databases, { edge, functions: functionLogRows(project, window) }, query.sql);
};

/** Every query without both times is an error (service, Analytics); without `sql` the newest rows of the edge are shown. */
const queryLogs: AsyncHandler<Operations["queryLogs"]> = async ({ params, query, world }) => {
  const project = projectAt(world, params.ref);
  const { iso_timestamp_start: start, iso_timestamp_end: end } = query;
  if (start === undefined || end === undefined) return { result: null, error: BACKEND_ERROR };
  const rows = logRows(world, project, readWindow(start, end, world.clock.now()));
  return queryCurrentLogs(world.databases, rows, query.sql ?? NEWEST_EDGE_ROWS);
};

const NEWEST_EDGE_ROWS = `select id, timestamp, event_message from logs where source = 'edge_logs' order by timestamp desc limit ${DEFAULT_ROWS}`;

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

type Stats = NonNullable<OperationAnswer<Operations["getFunctionStats"]>["result"]>[number];

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

type Interval = "15min" | "30min" | "1hr" | "3hr" | "1day" | "3day" | "7day";

/** How long each interval reaches back, and into what it is divided, which is unknown: here some dozens of parts. */
const intervals: Readonly<Record<Interval, { readonly spanMs: number; readonly bucketMs: number }>> = {
  "15min": { spanMs: 15 * MINUTE_MS, bucketMs: MINUTE_MS },
  "30min": { spanMs: 30 * MINUTE_MS, bucketMs: MINUTE_MS },
  "1hr": { spanMs: HOUR_MS, bucketMs: MINUTE_MS },
  "3hr": { spanMs: 3 * HOUR_MS, bucketMs: 5 * MINUTE_MS },
  "1day": { spanMs: DAY_MS, bucketMs: HOUR_MS },
  "3day": { spanMs: 3 * DAY_MS, bucketMs: HOUR_MS },
  "7day": { spanMs: 7 * DAY_MS, bucketMs: 6 * HOUR_MS },
};

interface Bucket<T> {
  /** When it begins. */
  readonly timestamp: string;
  readonly items: readonly T[];
}

/** What happened, divided by time; the last bucket is the one that `now` is in, empty ones are among them. */
function bucketsOf<T extends { readonly at: number }>(
  items: readonly T[],
  interval: Interval,
  now: number,
): Bucket<T>[] {
  const { spanMs, bucketMs } = intervals[interval];
  const last = Math.floor(now / bucketMs);
  const byNumber = Map.groupBy(items, ({ at }) => Math.floor(at / bucketMs));
  return Array.from({ length: spanMs / bucketMs }, (_, index) => last - spanMs / bucketMs + 1 + index).map(
    (number) => ({
      timestamp: new Date(number * bucketMs).toISOString(),
      items: byNumber.get(number) ?? [],
    }),
  );
}

/** In the text format of metrics; unknown which the service has beside these (service, Analytics). */
const getMetrics: Handler<Operations["getMetrics"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const { size, used } = measureDisk(world, project);
  const byService = Map.groupBy(projectCalls(world, project.ref), ({ path }) => serviceOf(path));
  const requests = [...byService].map(([service, calls]): Sample => [{ service }, calls.length]);
  return [
    formatFamily("node_filesystem_size_bytes", "gauge", [[{ mountpoint: "/data" }, size]]),
    formatFamily("node_filesystem_avail_bytes", "gauge", [[{ mountpoint: "/data" }, size - used]]),
    formatFamily("pg_up", "gauge", [[{}, 1]]),
    formatFamily("http_requests_total", "counter", requests),
  ].join("");
};

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

function formatFamily(name: string, type: "gauge" | "counter", samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
  });
  return `# TYPE ${name} ${type}\n${lines.join("")}`;
}

export const analyticsHandlers = {
  getLogs,
  queryLogs,
  getMetrics,
  getUsageApiCounts,
  getUsageApiRequestsCount,
  getFunctionStats,
};
