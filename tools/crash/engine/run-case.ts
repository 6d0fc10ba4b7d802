import type { Stack } from "../../engine/emulated-program";
import type { SlowBackend } from "../../engine/slow-backend";
import type { OperationResult, Workspace } from "../../engine/workspace";
import { startStackOf, type AdapterName, type StackOptions } from "./adapters";
import { convergeDestroy, convergeUp, expectNoProvider, NotConvergedError, operate } from "./converge";
import { describeWrites, remainder } from "./inventory";
import type { Backend, CrashCase, Kill } from "./plan";
import { setTimeout as sleep } from "node:timers/promises";

export interface Stage {
  readonly adapter: AdapterName;
  readonly engine: StackOptions["engine"];
  /** Undefined where the machine has no Postgres server. */
  readonly slow: SlowBackend | undefined;
}

export interface CaseResult {
  /** Undefined where the `up` was over before the moment came. */
  readonly atMs: number | undefined;
  /** What the `up` took, to its end or to its kill. */
  readonly tookMs: number;
  /** The writes that the service had done when the kill came. */
  readonly happened: string;
  /** What was not as it must be; undefined when all was. */
  readonly failure?: { readonly message: string; readonly output: string };
}

/** What an undisturbed `up` takes, in milliseconds. It has to converge as all others do. */
export async function measureUp(stage: Stage, backend: Backend): Promise<number> {
  const stack = await startStackOf(stage.adapter, stackOptions(stage, backend));
  try {
    const before = remainder(stack.emulator.control);
    const { durationMs } = await operate(stack, "up", "an undisturbed up");
    await convergeUp(stack);
    await convergeDestroy(stack, before);
    return durationMs;
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    throw new Error(`Without any kill, ${error.message}:\n${error.output}`, { cause: error });
  } finally {
    await stack.dispose();
  }
}

/** Kills an `up` when the moment comes, and lets the next ones converge. */
export async function runCase(
  stage: Stage,
  { kill, backend }: Pick<CrashCase, "kill" | "backend">,
  moment: (stack: Stack, over: AbortSignal) => Promise<unknown>,
): Promise<CaseResult> {
  const stack = await startStackOf(stage.adapter, stackOptions(stage, backend));
  const { workspace, emulator } = stack;
  let atMs: number | undefined;
  let happened = "all was done";
  let output = "";
  let tookMs = 0;
  try {
    const before = remainder(emulator.control);
    const startedAt = performance.now();
    const up = await killDuring(workspace, workspace.up(), {
      kill,
      moment: (over) => moment(stack, over),
      withStandstill: backend === "slow" && stage.slow === undefined,
      onKill: () => {
        atMs = Math.round(performance.now() - startedAt);
        happened = describeWrites(emulator.control);
      },
    });
    tookMs = up.durationMs;
    output = `the killed up:\n${up.stdout}\n${up.stderr}`;
    // A killed engine leaves its lock.
    if (up.exitCode === -1) await workspace.cancel();
    await convergeUp(stack);
    await convergeDestroy(stack, before);
    if (stage.adapter === "plugin" || hasStep(up)) await expectNoProvider(stack);
    return { atMs, tookMs, happened };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof NotConvergedError) output += `\nthen:\n${error.output}`;
    return { atMs, tookMs, happened, failure: { message, output } };
  } finally {
    await stack.dispose();
  }
}

/** A dynamic provider that was asked for nothing yet has not loaded this package, and stays as all others do. */
function hasStep({ events }: OperationResult): boolean {
  return events.some(
    ({ resourcePreEvent }) => resourcePreEvent?.metadata.type.includes("management:") === true,
  );
}

function stackOptions({ engine, slow }: Stage, backend: Backend): StackOptions {
  return { engine, ...(backend === "slow" && slow !== undefined ? { backendUrl: slow.newUrl() } : {}) };
}

const POLL_MS = 10;
/** Without a slow backend: how long the engine stands still before it dies, while its providers go on. */
const STANDSTILL_MS = 2_000;

interface Killing {
  readonly kill: Kill;
  /** Waits for the moment; the signal tells that what was to be killed is over. */
  readonly moment: (over: AbortSignal) => Promise<unknown>;
  /** Whether the engine stands still for a while before, so that what the provider answers is not recorded. */
  readonly withStandstill: boolean;
  /** Called right before the kill, unless all is over by then. */
  readonly onKill: () => void;
}

/** Kills what is running when the moment comes; a provider that is not there yet is waited for. */
async function killDuring(
  workspace: Workspace,
  running: Promise<OperationResult>,
  { kill, moment, withStandstill, onKill }: Killing,
): Promise<OperationResult> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const isOver = (): boolean => over.signal.aborted;
  running.then(end, end);
  const { processes } = workspace;
  await Promise.race([moment(over.signal), running]);
  if (withStandstill) {
    processes.pause();
    await Promise.race([sleep(STANDSTILL_MS), running]);
  }
  if (isOver()) return running;
  onKill();
  switch (kill) {
    case "engine alone":
      await processes.killAlone();
      break;
    case "engine and all below":
      await processes.killEverything();
      break;
    case "provider alone":
      while (!isOver() && processes.killProviders() === 0) await sleep(POLL_MS);
      processes.resume();
  }
  return running;
}
