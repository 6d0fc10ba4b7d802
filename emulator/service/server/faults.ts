import type { OperationName } from "../../../spec/table";

/** Which calls break, and how. Without `operation`, `method` and `pathContains` it matches every call. */
export interface FaultRule {
  readonly operation?: OperationName;
  readonly method?: string;
  readonly pathContains?: string;
  /** Answers this status instead of doing the work, or after it with `after`. */
  readonly status?: number;
  /** With `status`: the work is done before the error is answered. */
  readonly after?: boolean;
  /** The `message` of the error body. */
  readonly message?: string;
  /** The whole body instead: text is sent as HTML, as gateways do, everything else as JSON, null included. */
  readonly body?: unknown;
  /** Headers of the answer; null leaves out one that it would have. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Real time to wait before anything else happens; it happens all the same when the caller has gone meanwhile. */
  readonly delayMs?: number;
  /** Time of the emulator that the work takes, at the end of which its effect is there. */
  readonly takesMs?: number;
  /** What a gateway answers after so much of that time, while the work goes on. */
  readonly gateway?: GatewayTimeout;
  /** Closes the connection before or after the work without an answer, or after half the body of the answer. */
  readonly drop?: "before" | "after" | "midway";
  /**
   * Never answers, before or after the work, or goes on after the answer with blanks and without an end: the connection stays
   * open until the caller gives up.
   */
  readonly hold?: "before" | "after" | "endless";
  /** How many calls it breaks; 1 when absent. */
  readonly times?: number;
  /** How many matching calls it lets pass first; 0 when absent. */
  readonly skip?: number;
}

/** A gateway that does not wait for the end of the work. */
export interface GatewayTimeout {
  readonly afterMs: number;
  /** 504 when absent; 0 for a connection that is closed. */
  readonly status?: number;
}

export interface PendingFault {
  readonly id: number;
  readonly rule: FaultRule;
  /** Calls it will still break. */
  readonly remaining: number;
  /** Matching calls it will still let pass. */
  readonly skipping: number;
}

interface ArrivingCall {
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
}

/** The faults that wait for their calls. */
export class Faults {
  private pending: { id: number; rule: FaultRule; remaining: number; skipping: number }[] = [];
  private lastId = 0;

  add(rule: FaultRule): PendingFault {
    const { status, drop, hold, delayMs, takesMs, gateway } = rule;
    if ([status, drop, hold, delayMs, takesMs].every((given) => given === undefined)) {
      throw new RangeError("A fault needs a status, a drop, a hold, a delayMs or a takesMs");
    }
    if (gateway !== undefined && gateway.afterMs >= (takesMs ?? 0)) {
      throw new RangeError("A gateway gives up before the end of takesMs");
    }
    if (drop !== undefined && hold !== undefined) {
      throw new RangeError("A fault either drops a connection or holds it");
    }
    if (status !== undefined && !(status >= 200 && status <= 599)) {
      throw new RangeError(`A fault's status lies from 200 to 599: got ${status}`);
    }
    this.lastId += 1;
    const fault = { id: this.lastId, rule, remaining: rule.times ?? 1, skipping: rule.skip ?? 0 };
    this.pending.push(fault);
    return { ...fault };
  }

  list(): readonly PendingFault[] {
    return this.pending.map((fault) => ({ ...fault }));
  }

  clear(): void {
    this.pending = [];
  }

  /** The fault that breaks this call, used up by it. */
  take(call: ArrivingCall): FaultRule | undefined {
    for (const fault of this.pending) {
      if (!matches(fault.rule, call)) continue;
      if (fault.skipping > 0) {
        fault.skipping -= 1;
        continue;
      }
      fault.remaining -= 1;
      if (fault.remaining <= 0) this.pending = this.pending.filter((other) => other !== fault);
      return fault.rule;
    }
    return undefined;
  }
}

function matches(rule: FaultRule, call: ArrivingCall): boolean {
  return (
    (rule.operation === undefined || rule.operation === call.operation) &&
    (rule.method === undefined || rule.method.toUpperCase() === call.method) &&
    (rule.pathContains === undefined || call.path.includes(rule.pathContains))
  );
}
