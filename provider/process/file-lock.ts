import { rmdirSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LockOptions } from "proper-lockfile";
import { tryOrUndefined } from "../../spec/try-or-undefined";

type LockRelease = () => Promise<void>;

/** A holder tells every two seconds that it lives. */
const STALE_MS = 10_000;
const OPTIONS: LockOptions = {
  // What is locked need not be there yet.
  realpath: false,
  stale: STALE_MS,
  update: 2_000,
  // Who was suspended for long has lost the lock: its work goes on, as there is no taking it back.
  onCompromised: () => undefined,
};
/** The library would let two that meet a stale lock at once both have it: it is removed by one, below. */
const NEVER_TAKEN_OVER = { ...OPTIONS, stale: Infinity };

const LONGEST_WAIT_MS = 120_000;
const LONGEST_PAUSE_MS = 250;

/**
 * Runs `work` while no other process on this machine runs any under the same lock. Where there can be no lock, as in a
 * folder that cannot be written, or where it is held for longer than `longestWaitMs`, it runs all the same.
 */
export async function runLocked<T>(
  file: string,
  work: () => Promise<T>,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<T> {
  const release = await acquireLock(file, Date.now() + longestWaitMs);
  try {
    return await work();
  } finally {
    // A lock that is lost or cannot be removed gets stale.
    await release?.().catch(() => undefined);
  }
}

async function acquireLock(file: string, untilMs: number): Promise<LockRelease | undefined> {
  while (Date.now() < untilMs) {
    const found = await loadLocks().lock(file, NEVER_TAKEN_OVER).catch(isHeld);
    if (found === false) return undefined;
    if (found !== true) return found;
    if (isStale(file)) await removeStale(file);
    await sleep(Math.random() * LONGEST_PAUSE_MS);
  }
  return undefined;
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ELOCKED";
}

function isStale(file: string): boolean {
  const changedMs = tryOrUndefined(() => statSync(lockFolder(file)).mtimeMs);
  return changedMs !== undefined && changedMs < Date.now() - STALE_MS;
}

/** Of several that find it stale, one removes it; who looks later finds another one's, which is not. */
async function removeStale(file: string): Promise<void> {
  const release = await loadLocks()
    .lock(lockFolder(file), OPTIONS)
    .catch(() => undefined);
  if (release === undefined) return;
  if (isStale(file)) tryOrUndefined(() => rmdirSync(lockFolder(file)));
  await release().catch(() => undefined);
}

/** What the library makes to lock a file. */
function lockFolder(file: string): string {
  return `${file}.lock`;
}

/** Loaded on first use: few need it, and it listens to the process's signals. */
function loadLocks(): typeof import("proper-lockfile") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return require("proper-lockfile") as typeof import("proper-lockfile");
}
