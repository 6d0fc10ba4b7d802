import type { Outcome } from "./model-engine";
import { changesBetween, unexpectedIn, type Changes } from "./service-changes";

/** After so many runs, what is declared is there. */
const MOST_RUNS = 3;

/** A stack as the checks run it, whichever engine it has. */
export interface RunnableStack {
  readonly name: string;
  up(): Promise<Outcome>;
  refresh(): Promise<Outcome>;
}

/** A run whose engine reported failures. */
export class FailedRun extends Error {
  constructor(readonly failures: readonly Error[]) {
    super(failures.map(({ message }) => message).join("; "));
  }
}

export function requireSuccess(outcome: Outcome): Outcome {
  if (outcome.failures.length > 0) throw new FailedRun(outcome.failures);
  return outcome;
}

/** Runs until a run succeeds, as a user does; `follow` does before the next one what the failures advise. */
export async function runUntilSettled<T>(
  run: () => Promise<T>,
  follow: (failures: readonly Error[]) => void | Promise<void> = () => undefined,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await run();
    } catch (error) {
      if (count === MOST_RUNS) throw error;
      await follow(failuresIn(error));
    }
  }
}

function failuresIn(error: unknown): readonly Error[] {
  if (error instanceof FailedRun) return error.failures;
  return [error instanceof Error ? error : new Error(String(error))];
}

/** The same program is in force: another run takes no step and makes no call. */
export async function requireSecondRunDoesNothing(
  stack: RunnableStack,
  service: { clearCalls(): void; countCalls(): number },
): Promise<void> {
  service.clearCalls();
  const { steps } = requireSuccess(await stack.up());
  if (steps.length > 0) throw new Error(`${stack.name}: a second run does: ${steps.join(", ")}`);
  const calls = service.countCalls();
  if (calls > 0) throw new Error(`${stack.name}: a second run makes ${calls} calls`);
}

/** The state is what the service has: a refresh changes nothing that a run would then repair. */
export async function requireRefreshShowsNothing(stack: RunnableStack): Promise<void> {
  const refreshed = requireSuccess(await stack.refresh());
  const after = requireSuccess(await stack.up());
  const steps = [...refreshed.steps, ...after.steps];
  if (steps.length > 0) throw new Error(`${stack.name}: after a refresh a run does: ${steps.join(", ")}`);
}

/** The service is as before but for what is expected, which is what the same life changes there undisturbed. */
export function requireNothingLeft(
  when: string,
  [before, now]: readonly [before: unknown, now: unknown],
  expected?: Changes,
): Changes {
  const changes = changesBetween(before, now);
  const unexpected = expected === undefined ? [] : unexpectedIn(changes, expected);
  if (unexpected.length > 0) throw new Error(`after ${when}: ${unexpected.join(", ")}`);
  return changes;
}

/** What is there is what is wanted, by number or by identifiers: none too many, none missing, none twice. */
export function requireExactlyOnce(
  what: string,
  there: readonly unknown[],
  wanted: number | readonly unknown[],
): void {
  if (typeof wanted === "number") {
    if (there.length !== wanted) throw new Error(`${what}: ${there.length} instead of ${wanted}`);
    return;
  }
  const tooMany = there.filter((each) => !wanted.includes(each));
  if (tooMany.length > 0) throw new Error(`${what}: too many are ${tooMany.join(", ")}`);
  const missing = wanted.filter((each) => !there.includes(each));
  if (missing.length > 0) throw new Error(`${what}: missing are ${missing.join(", ")}`);
  const repeated = there.filter((each, index) => there.indexOf(each) !== index);
  if (repeated.length > 0) throw new Error(`${what}: repeated are ${repeated.join(", ")}`);
}
