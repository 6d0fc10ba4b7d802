import type { CallRecord } from "../world/call-record";
import type { InvocationRecord } from "../rules/records/invocation";
import type { ProjectRecord } from "../rules/records/project";
import type { World } from "../world/world";
import { serviceOf, type CalledService } from "./called-service";
import { isWithin, type LogWindow } from "./log-window";

/** One call to the project's part of the API, as its logs show it. */
export interface EdgeLogRow {
  readonly id: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly service: CalledService;
  readonly method: string;
  readonly path: string;
  /** 0 when the connection was closed without an answer. */
  readonly status_code: number;
  readonly operation: string | null;
  readonly identity: string;
  readonly duration_ms: number;
}

/** One invocation of an edge function. */
export interface FunctionLogRow {
  readonly id: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly function_id: string;
  readonly status_code: number;
  readonly execution_time_ms: number;
}

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
