import { setTimeout as sleep } from "node:timers/promises";
import { provisionEngine } from "../../engine/provision";
import { startSlowBackend, STATE_DELAY_MS } from "../../engine/slow-backend";
import type { AdapterName } from "./adapters";
import { type Backend, type CrashCase, planCases } from "./plan";
import { measureUp, runCase, type CaseResult, type Stage } from "./run-case";

export interface EngineCases {
  readonly count: number;
  readonly seed: number;
  readonly adapters: readonly AdapterName[];
  /** Numbers of the cases to run; all when empty. */
  readonly only: readonly number[];
}

const MOST_TRIES = 4;

const say = (line: string): void => console.log(line);

/** Runs the cases, the adapters side by side; whether all of them converged. */
export async function runEngineCases({ count, seed, adapters, only }: EngineCases): Promise<boolean> {
  say(`seed ${seed}`);
  const engine = await provisionEngine({ languages: ["nodejs", "yaml"], log: say });
  const slow = await startSlowBackend({ delayMs: STATE_DELAY_MS });
  if (slow === undefined)
    say(
      "no Postgres server on this machine: in place of a slow backend the engine stands still before it dies",
    );
  try {
    const cases = planCases(count, seed).filter(({ number }) => only.length === 0 || only.includes(number));
    const lanes = adapters.map((adapter) => runLane({ adapter, engine, slow }, cases));
    const totals = await Promise.all(lanes);
    say("");
    for (const { adapter, converged } of totals) say(`${adapter}: ${converged} of ${cases.length}`);
    const isRight = totals.every(({ converged }) => converged === cases.length);
    if (!isRight) say(`the same cases again: --engine ${count} --seed ${seed}`);
    return isRight;
  } finally {
    await slow?.dispose();
  }
}

async function runLane(
  stage: Stage,
  cases: readonly CrashCase[],
): Promise<{ adapter: AdapterName; converged: number }> {
  const { adapter } = stage;
  const undisturbed = new Map<Backend, number>();
  let converged = 0;
  for (const crash of cases) {
    const { backend } = crash;
    if (!undisturbed.has(backend)) {
      const tookMs = await measureUp(stage, backend);
      undisturbed.set(backend, tookMs);
      say(`${adapter}: an undisturbed up on the ${backend} backend takes ${Math.round(tookMs)} ms`);
    }
    let result = await runKill(stage, crash, undisturbed);
    // An `up` that was over before its kill tried nothing; the machine had been busier when it was measured.
    for (let again = 1; result.atMs === undefined && again < MOST_TRIES; again += 1) {
      if (result.failure !== undefined) break;
      undisturbed.set(backend, result.tookMs);
      result = await runKill(stage, crash, undisturbed);
    }
    if (result.failure === undefined) converged += 1;
    report(adapter, crash, result);
  }
  return { adapter, converged };
}

function runKill(
  stage: Stage,
  crash: CrashCase,
  undisturbed: ReadonlyMap<Backend, number>,
): Promise<CaseResult> {
  const atMs = crash.moment * (undisturbed.get(crash.backend) ?? 0);
  return runCase(stage, crash, () => sleep(atMs));
}

function report(adapter: AdapterName, crash: CrashCase, { atMs, happened, failure }: CaseResult): void {
  const columns = [
    `${adapter} ${crash.number}`.padEnd(10),
    crash.kill.padEnd(20),
    crash.backend,
    (atMs === undefined ? "too late" : `${atMs} ms`).padStart(8),
    failure === undefined ? "converged" : `FAILED: ${failure.message}`,
    `after ${happened}`,
  ];
  say(columns.join(" | "));
  if (failure === undefined) return;
  for (const line of failure.output.split("\n")) if (line.trim() !== "") say(`    │ ${line}`);
}
