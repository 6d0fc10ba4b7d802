import type { Operation } from "../../spec/operation";
import type { OperationName } from "../../spec/table";
import type { CallLog } from "../call-log";
import type { InternalError } from "../control/control";
import type { GatewayNoise } from "../emulator";
import type { Faults } from "../faults";
import type { AsyncHandler, Handler } from "../handler";
import type { World } from "../world";
import type { RateLimits } from "./rate-limits";

/** What the generic stages work with: the table, its handlers, and what is kept between calls. */
export interface Service {
  readonly operations: Readonly<Partial<Record<OperationName, Operation>>>;
  readonly handlers: Readonly<Partial<Record<OperationName, Handler<Operation> | AsyncHandler<Operation>>>>;
  readonly world: World;
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly log: CallLog;
  /** Keeps what has changed, where a data folder is used; called before an answer leaves. */
  readonly save: () => void;
  readonly internalErrors: InternalError[];
  readonly validateAnswers: boolean;
  readonly gatewayNoise: GatewayNoise | undefined;
}
