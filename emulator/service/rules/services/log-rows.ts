import type { CallRecord } from "../../world/call-record";
import type { InvocationRecord } from "../../world/records/functions";
import type { ProjectRecord } from "../../world/records/project";
import type { World } from "../../world/world";
import { Refusal } from "../../answers/refusal";
import type { EdgeLogRow, FunctionLogRow, CalledService, LogRow } from "../../../postgres/logs/log-row";

/** Only the project's own calls (service, Analytics), newest first. */
export function edgeLogRows(world: World, { ref }: ProjectRecord, window: LogWindow): EdgeLogRow[] {
  return projectCalls(world, ref)
    .filter(({ at }) => isWithin(window, at))
    .toReversed()
    .map(toEdgeRow);
}

export function projectCalls(world: World, ref: string): readonly CallRecord[] {
  return world.calls.list({ scopeKey: `project:${ref}` });
}

export function functionLogRows({ invocations }: ProjectRecord, window: LogWindow): FunctionLogRow[] {
  return invocations
    .filter(({ at }) => isWithin(window, at))
    .toReversed()
    .map(toFunctionRow);
}

function toEdgeRow(call: CallRecord): EdgeLogRow {
  const { requestId, at, method, path, status, operation, identity, durationMs } = call;
  return {
    id: requestId,
    timestamp: new Date(at).toISOString(),
    event_message: `${method} | ${status} | ${path}`,
    service: serviceOf(path),
    method,
    path,
    status_code: status,
    operation: operation ?? null,
    identity,
    duration_ms: durationMs,
  };
}

function toFunctionRow({ id, functionId, at, statusCode, executionMs }: InvocationRecord): FunctionLogRow {
  return {
    id,
    timestamp: new Date(at).toISOString(),
    event_message: `${functionId} | ${statusCode} | ${executionMs} ms`,
    function_id: functionId,
    status_code: statusCode,
    execution_time_ms: executionMs,
  };
}

/** Which service of a project a path concerns; what concerns no other one counts as a call to the REST API. */
export function serviceOf(path: string): CalledService {
  const [part, setting] = path.split("/").slice(4);
  const concerned = part === "config" ? setting : part;
  return concerned === "auth" || concerned === "realtime" || concerned === "storage" ? concerned : "rest";
}

const MINUTE_MS = 60_000;
const LONGEST_MS = 24 * 60 * MINUTE_MS;

/** A row is there this long after its event, at pace 1: measured 2 to 51 s (service, Analytics). */
const LOGGING_MS = 5_000;

/** Everything that is logged of a project by now, whatever its source; newest first. */
export function logRows(world: World, project: ProjectRecord, { from, to }: LogWindow): LogRow[] {
  const window = { from, to: Math.min(to, world.clock.now() - LOGGING_MS * world.pace) };
  const rows = [
    ...edgeLogRows(world, project, window).map(
      ({ id, timestamp, event_message, method, path, status_code }) => ({
        ...{ id, source: "edge_logs", timestamp, event_message, severity_text: "" },
        log_attributes: {
          "request.method": method,
          "request.path": path,
          "response.status_code": String(status_code),
        },
      }),
    ),
    ...functionLogRows(project, window).map(
      ({ id, timestamp, event_message, function_id, status_code, execution_time_ms }) => ({
        ...{ id, source: "function_edge_logs", timestamp, event_message, severity_text: "" },
        log_attributes: {
          function_id,
          execution_time_ms: String(execution_time_ms),
          "response.status_code": String(status_code),
        },
      }),
    ),
  ];
  return rows.toSorted((left, right) => right.timestamp.localeCompare(left.timestamp));
}

/** From when to when logs are looked at, both ends included. */
interface LogWindow {
  readonly from: number;
  readonly to: number;
}

/** Both timestamps or none, at most 24 hours, rounded to the nearest minute (service, Analytics). */
export function readWindow(start: string | undefined, end: string | undefined, now: number): LogWindow {
  // Rounding would hide what the last minute is asked for.
  if (start === undefined && end === undefined) return { from: now - MINUTE_MS, to: now };
  if (start === undefined || end === undefined) {
    throw new Refusal(
      400,
      "iso_timestamp_start: iso_timestamp_start and iso_timestamp_end must be given together",
    );
  }
  const window = { from: roundedToMinute(start), to: roundedToMinute(end) };
  if (window.from > window.to) {
    throw new Refusal(400, "iso_timestamp_start: it must not be after iso_timestamp_end");
  }
  if (window.to - window.from > LONGEST_MS) {
    throw new Refusal(400, "iso_timestamp_end: the range of the timestamps must be at most 24 hours");
  }
  return window;
}

function roundedToMinute(timestamp: string): number {
  return Math.round(Date.parse(timestamp) / MINUTE_MS) * MINUTE_MS;
}

function isWithin({ from, to }: LogWindow, at: number): boolean {
  return from <= at && at <= to;
}
