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

/** Services by which usage is counted (service, Analytics). */
export type CalledService = "auth" | "realtime" | "rest" | "storage";

/** One row of the table in which the current service has all logs (service, Analytics). */
export interface LogRow {
  readonly id: string;
  readonly source: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly severity_text: string;
  readonly log_attributes: Readonly<Record<string, string>>;
}
