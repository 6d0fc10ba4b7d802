import type { LockOptions } from "proper-lockfile";

const OPTIONS: LockOptions = {
  // What is locked need not be there yet.
  realpath: false,
  // A holder that is killed no longer says every few seconds that it is alive.
  stale: 10_000,
  update: 2_000,
  // Who was suspended for long has lost the lock: its work goes on, as there is no taking it back.
  onCompromised: () => undefined,
};

/** Some two minutes, for work that mostly lasts no second. */
const RETRIES = { retries: 300, factor: 1.2, minTimeout: 50, maxTimeout: 500, randomize: true };

/**
 * Runs `work` while no other process on this machine runs any under the same lock. Where there can be no lock, as in a
 * folder that cannot be written, or where it is held for minutes, it runs all the same.
 */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const release = await acquired(file);
  try {
    return await work();
  } finally {
    // A lock that is lost or cannot be removed gets stale.
    await release?.().catch(() => undefined);
  }
}

async function acquired(file: string): Promise<(() => Promise<void>) | undefined> {
  const { lock } = loadLocks();
  try {
    return await lock(file, OPTIONS);
  } catch (error) {
    const isHeld = error instanceof Error && "code" in error && error.code === "ELOCKED";
    return isHeld ? lock(file, { ...OPTIONS, retries: RETRIES }).catch(() => undefined) : undefined;
  }
}

/** Loaded on first use: few need it, and it listens to the process's signals. */
function loadLocks(): typeof import("proper-lockfile") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
  return require("proper-lockfile") as typeof import("proper-lockfile");
}
