import type { Operation } from "../../../spec/operation";
import type { OperationName } from "../../../spec/table";
import type { CallLog } from "../world/call-log";
import type { Exchanges } from "./exchanges";
import type { Faults } from "./faults";
import type { AsyncHandler, Handler } from "../rules/shared/handler";
import type { StateStore } from "../world/state-store";
import type { World } from "../world/world";
import type { OverlappingWrites } from "./overlapping-writes";
import type { CallsUnderWay } from "./calls-under-way";
import type { RateLimits } from "./rate-limits";
import type { ServerWire } from "./wire";

/** What the generic stages work with: the table, its handlers, and what is kept between calls. */
export interface Service {
  /** Of the present: its bodies follow the state. */
  readonly operations: Readonly<Partial<Record<OperationName, Operation>>>;
  readonly handlers: Readonly<Partial<Record<OperationName, Handler<Operation> | AsyncHandler<Operation>>>>;
  readonly world: World;
  readonly wire: ServerWire;
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly log: CallLog;
  readonly exchanges: Exchanges;
  readonly store: StateStore;
  readonly underWay: CallsUnderWay;
  readonly overlapping: OverlappingWrites;
  readonly internalErrors: InternalError[];
  readonly validateAnswers: boolean;
  readonly gatewayNoise: GatewayNoise | undefined;
}

/** What went wrong inside the emulator itself: a crashed handler, or an answer that breaks the operation table. */
export interface InternalError {
  readonly operation: string;
  readonly kind: "exception" | "answer";
  readonly message: string;
}

/** A gateway's HTML error page in place of the answer, without doing the work (service, Limits). */
export interface GatewayNoise {
  /** Every how many calls, counted from the start. */
  readonly everyNthCall: number;
  /** 502 when absent. */
  readonly status?: number;
}
