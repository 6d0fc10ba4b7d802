import type { OperationName } from "../spec/table";

/** One call to the API, without query, body or credentials. */
export interface CallRecord {
  /** 1 for the first call since the start. */
  readonly sequence: number;
  /** The emulator's time at arrival, in milliseconds since the epoch. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
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
  /** Oldest first. */
  list(filter?: CallFilter): readonly CallRecord[];
}

/** The calls made to the API, oldest first. */
export class CallLog implements CallHistory {
  private records: CallRecord[] = [];
  private lastSequence = 0;
  /** Those that `clear` took away. */
  private forgotten = 0;

  nextSequence(): number {
    this.lastSequence += 1;
    return this.lastSequence;
  }

  add(record: CallRecord): void {
    this.records.push(record);
  }

  list(filter: CallFilter = {}): readonly CallRecord[] {
    return this.records
      .filter(
        (call) =>
          (filter.operation === undefined || call.operation === filter.operation) &&
          (filter.status === undefined || call.status === filter.status) &&
          (filter.method === undefined || call.method === filter.method.toUpperCase()) &&
          (filter.pathContains === undefined || call.path.includes(filter.pathContains)) &&
          (filter.identity === undefined || call.identity === filter.identity) &&
          (filter.scopeKey === undefined || call.scopeKey === filter.scopeKey),
      )
      .sort((left, right) => left.sequence - right.sequence);
  }

  /** The very list that grows with each call, in the order of their ends; another one after `clear`. */
  all(): readonly CallRecord[] {
    return this.records;
  }

  /** How many calls have ended so far, forgotten ones among them. */
  get logged(): number {
    return this.forgotten + this.records.length;
  }

  /** Those that ended after the first `count`, in the order of their ends. */
  after(count: number): readonly CallRecord[] {
    return this.records.slice(Math.max(0, count - this.forgotten));
  }

  /** Begins with calls of an earlier process. */
  restore(calls: readonly CallRecord[]): void {
    this.records = [...calls];
    this.lastSequence = calls.reduce((last, { sequence }) => Math.max(last, sequence), 0);
  }

  clear(): void {
    this.forgotten += this.records.length;
    this.records = [];
  }
}
