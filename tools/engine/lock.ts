import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, type Log } from "./engine";
import { isProcessAlive } from "./process-tree";

export interface LockOptions {
  log: Log;
  pollMs?: number;
  progressEveryMs?: number;
  staleAfterMs?: number;
  /** What the holder of the lock is doing, for whoever waits. */
  purpose: string;
}

interface Holder {
  pid: number;
  host: string;
}

/**
 * Runs `action` while no other process on this machine does. The lock saves double work and no more:
 * what it guards is put in place by a rename, so that a lock wrongly taken over does no harm.
 */
export async function withLock<T>(file: string, options: LockOptions, action: () => Promise<T>): Promise<T> {
  const { pollMs = 500, progressEveryMs = 15_000, staleAfterMs = 60_000 } = options;
  mkdirSync(dirname(file), { recursive: true });
  const startedAt = Date.now();
  let nextProgressAt = startedAt;
  while (!tryAcquire(file)) {
    if (isStale(file, staleAfterMs)) {
      options.log(`taking over the lock of a process that is gone (${file})`);
      remove(file);
      continue;
    }
    if (Date.now() >= nextProgressAt) {
      nextProgressAt = Date.now() + progressEveryMs;
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      options.log(
        `waiting for process ${readHolder(file)?.pid ?? "?"}, which is ${options.purpose} (${seconds} s)`,
      );
    }
    await sleep(pollMs);
  }
  const heartbeat = setInterval(() => touch(file), Math.max(staleAfterMs / 10, 10));
  heartbeat.unref();
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
  }
}

function tryAcquire(file: string): boolean {
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder), {
      flag: "wx",
    });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Dead by its process id where that can be asked, otherwise by the heartbeat that stopped. */
function isStale(file: string, staleAfterMs: number): boolean {
  const holder = readHolder(file);
  if (holder !== undefined && holder.host === hostname() && !isProcessAlive(holder.pid)) return true;
  try {
    return Date.now() - statSync(file).mtimeMs > staleAfterMs;
  } catch {
    return false;
  }
}

/** Renamed first: of two processes that see the same stale lock, only one gets to remove it. */
function remove(file: string): void {
  const grave = `${file}.${process.pid}`;
  try {
    renameSync(file, grave);
  } catch {
    return;
  }
  rmSync(grave, { force: true });
}

function readHolder(file: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value !== "object" || value === null || !("pid" in value) || !("host" in value))
      return undefined;
    const { pid, host } = value;
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The lock was taken over; the rename at the end decides who was first.
  }
}
