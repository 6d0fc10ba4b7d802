import { setTimeout as sleep } from "node:timers/promises";
import type { OperationResult, Workspace } from "../../engine/workspace";
import type { Kill } from "./plan";

const POLL_MS = 10;
/** Without a slow backend: how long the engine stands still before it dies, while its providers go on. */
const STANDSTILL_MS = 2_000;

export interface Killing {
  readonly kill: Kill;
  /** Waits for the moment; the signal tells that what was to be killed is over. */
  readonly moment: (over: AbortSignal) => Promise<unknown>;
  /** Whether the engine stands still for a while before, so that what the provider answers is not recorded. */
  readonly withStandstill: boolean;
  /** Called right before the kill, unless all is over by then. */
  readonly onKill: () => void;
}

/** Kills what is running when the moment comes; a provider that is not there yet is waited for. */
export async function killDuring(
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
