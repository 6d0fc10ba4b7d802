import type { OperationName } from "../../../spec/table";

/** One call to the API, without query, body or credentials. */
export interface CallRecord {
  /** 1 for the first call since the start. */
  readonly sequence: number;
  /** The emulator's time at arrival, in milliseconds since the epoch. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
  /** Without the query; cut after a thousand characters. */
  readonly path: string;
  /** Absent when no operation has this method and path. */
  readonly operation?: OperationName;
  /** 0 when no answer was begun. */
  readonly status: number;
  /** Rate-limit scope: `project:<ref>`, `organization:<slug>`, `branch:<id>` or `account`. */
  readonly scopeKey: string;
  /** Rate-limit identity: `app:<client id>`, `user:<name>` or `ip:<address>`. */
  readonly identity: string;
  /** Real time between arrival and answer. */
  readonly durationMs: number;
  readonly faulted: boolean;
}

export interface CallCount {
  readonly operation?: OperationName;
  readonly status?: number;
}

export interface CallFilter extends CallCount {
  readonly method?: string;
  readonly pathContains?: string;
  readonly identity?: string;
  readonly scopeKey?: string;
}

/** The log of calls, to be read only. */
export interface CallHistory {
  /** Those that are still known, oldest first. */
  list(filter?: CallFilter): readonly CallRecord[];
}
