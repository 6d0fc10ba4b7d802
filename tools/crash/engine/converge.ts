import { setTimeout as sleep } from "node:timers/promises";
import { isProvider } from "../../engine/orphans";
import type { Stack } from "../../engine/emulated-program";
import type { OperationName, OperationResult } from "../../engine/workspace";
import { differences, remainder, takeInventory } from "./inventory";
import { DECLARED } from "./programs";

/** A second `up` may wait for the end of a provider that was left alone, and for a late answer. */
const LONGEST_OPERATION_MS = 10 * 60_000;
/** Far longer than it takes on a busy machine: one that does not end stays for ever. */
const LONGEST_OUTLIVING_MS = 5 * 60_000;
/** Settling that nobody has to see: keys are removed after minutes only. */
const FAST_PACE = 0.001;

/** What is not as it must be, with the output of the command after which it was seen. */
export class NotConvergedError extends Error {
  constructor(
    message: string,
    readonly output = "",
  ) {
    super(message);
    this.name = "NotConvergedError";
  }
}

/** Runs `up`, which must succeed, and checks that exactly what is declared is there and that nothing is left to do. */
export async function convergeUp(stack: Stack): Promise<void> {
  const { control } = stack.emulator;
  const up = await operate(stack, "up", "the next up");
  const wrong = differences(takeInventory(control), DECLARED);
  if (wrong.length > 0) throw new NotConvergedError(`after the next up: ${wrong.join(", ")}`, outputOf(up));

  control.clearCalls();
  const again = await operate(stack, "up", "another up");
  expectNoChange(again, "another up");
  const calls = control.countCalls();
  if (calls > 0) throw new NotConvergedError(`another up made ${calls} calls`, outputOf(again));
  expectNoChange(await operate(stack, "refresh", "a refresh"), "a refresh");
}

/** Destroys the stack and checks that the service is as it was before. */
export async function convergeDestroy(stack: Stack, before: string): Promise<void> {
  const { control } = stack.emulator;
  control.setPace(FAST_PACE);
  const destroy = await operate(stack, "destroy", "destroy");
  const left = control.call("listProjects", {}).map(({ name }) => `the project ${name}`);
  if (left.length > 0) throw new NotConvergedError(`destroy left ${left.join(", ")}`, outputOf(destroy));
  if (remainder(control) !== before)
    throw new NotConvergedError("destroy left the service otherwise than it was", outputOf(destroy));
  const internal = control.internalErrors.map(({ operation, message }) => `${operation}: ${message}`);
  if (internal.length > 0) throw new NotConvergedError(`the emulator failed: ${internal.join("; ")}`);
}

/** Checks that no provider of a killed engine runs any more, or not for long. */
export async function expectNoProvider(stack: Stack): Promise<void> {
  const outliving = (): string[] =>
    stack.workspace.processes
      .orphans()
      .filter(isProvider)
      .map(({ commandLine }) => commandLine);
  const until = Date.now() + LONGEST_OUTLIVING_MS;
  while (outliving().length > 0 && Date.now() < until) await sleep(100);
  if (outliving().length > 0) throw new NotConvergedError(`still running: ${outliving().join("; ")}`);
}

export async function operate(stack: Stack, name: OperationName, what: string): Promise<OperationResult> {
  const tooLong = new AbortController();
  const watch = setTimeout(() => {
    tooLong.abort();
    void stack.workspace.kill();
  }, LONGEST_OPERATION_MS);
  try {
    const result = await stack.workspace[name]();
    if (tooLong.signal.aborted) throw new NotConvergedError(`${what} took too long`, outputOf(result));
    if (result.exitCode !== 0) throw new NotConvergedError(`${what} failed`, outputOf(result));
    return result;
  } finally {
    clearTimeout(watch);
  }
}

function expectNoChange(result: OperationResult, what: string): void {
  const { create, update, delete: deleted, replace } = result.summary;
  if (create + update + deleted + replace > 0) {
    const changes = JSON.stringify(result.summary);
    throw new NotConvergedError(`${what} made changes: ${changes}`, outputOf(result));
  }
}

function outputOf({ stdout, stderr }: OperationResult): string {
  return `${stdout}\n${stderr}`;
}
