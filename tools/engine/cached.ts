import { rmSync } from "node:fs";
import type { CacheEntry } from "./cache-folder";
import { type Attempt, failed, type Log, errorMessage, succeeded } from "./engine";
import { withLock } from "./lock";

export interface Filling {
  /** The programs that make the entry usable. */
  names: readonly string[];
  /** What is being done, for whoever waits: "building the generator". */
  purpose: string;
  log: Log;
  /** Puts everything into a folder that is there, with an empty folder for programs in it. */
  fill: (folder: string) => Promise<Attempt<undefined>>;
}

/** An entry of the user's cache, made once whoever asks, and by one process at a time. */
export async function cached(entry: CacheEntry, filling: Filling): Promise<Attempt<undefined>> {
  if (entry.lack(filling.names) === undefined) return succeeded(undefined);
  try {
    return await withLock(entry.lockFile, filling, () => fillAlone(entry, filling));
  } catch (error) {
    return failed(`the cache folder cannot be used: ${errorMessage(error)}`);
  }
}

async function fillAlone(entry: CacheEntry, filling: Filling): Promise<Attempt<undefined>> {
  // The process that held the lock may have done it.
  if (entry.lack(filling.names) === undefined) return succeeded(undefined);
  entry.removeLeftovers();
  // Without its programs it is of no use, and `publish` would keep the rest of it.
  rmSync(entry.folder, { recursive: true, force: true });
  const staging = entry.stage({ seed: false });
  try {
    const filled = await filling.fill(staging);
    if (!filled.ok) return filled;
    entry.publish(staging);
    const lack = entry.lack(filling.names);
    return lack === undefined ? succeeded(undefined) : failed(lack);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
