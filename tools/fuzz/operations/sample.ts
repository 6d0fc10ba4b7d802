import type { Control, Emulator, MovableClock } from "../../../emulator";
import type { OperationParameters } from "../../../spec/operation";
import type { OperationName, Operations } from "../../../spec/table";

/** A running emulator with one project that is ACTIVE_HEALTHY with all its services. */
export interface Scene {
  readonly emulator: Emulator;
  readonly control: Control;
  readonly clock: MovableClock;
  readonly ref: string;
}

/** For each operation: prepares what a call needs and gives the parameters of one that succeeds. */
export type Samples = {
  readonly [N in OperationName]: (
    scene: Scene,
  ) => OperationParameters<Operations[N]> | Promise<OperationParameters<Operations[N]>>;
};
