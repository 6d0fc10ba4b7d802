import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { runLocked } from "../../provider/process/file-lock";
import type { Log } from "./engine";

export interface LockOptions {
  log: Log;
  progressEveryMs?: number;
  /** What the holder of the lock is doing, for whoever waits. */
  purpose: string;
}

/**
 * Runs `action` while no other process on this machine does. The lock saves double work and no more:
 * what it guards is put in place by a rename, so that a lock wrongly taken over does no harm.
 */
export async function withLock<T>(file: string, options: LockOptions, action: () => Promise<T>): Promise<T> {
  const { log, progressEveryMs = 5_000, purpose } = options;
  mkdirSync(dirname(file), { recursive: true });
  const waiting = setInterval(() => log(`waiting for another process, which is ${purpose}`), progressEveryMs);
  const alone = (): Promise<T> => {
    clearInterval(waiting);
    return action();
  };
  return runLocked(file, alone, Infinity);
}
