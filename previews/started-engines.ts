import { mkdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { parseJson } from "../provider/client/parse-json";
import { writeOwnFile } from "../provider/core/own-file";
import { isIdInUse, identifyMachine } from "../provider/core/process-identity";
import { findStateFolder } from "../provider/core/state-folder";
import { tryOrUndefined } from "../spec/try-or-undefined";
import { readTextFile } from "../spec/regular-file";

// What a command here has started, while it runs: a process of the engine that was killed leaves its lock.

const started = z.object({
  pid: z.int().min(1),
  /** Tells machines apart, and containers, that have one name. */
  machine: z.string(),
  startedMs: z.number(),
});
type StartedEngine = z.output<typeof started>;

/** What a lock says of the process that holds it. */
export interface LockHolder {
  readonly host: string;
  readonly pid: number;
  /** As the CLI writes it, to the second. */
  readonly since: string;
}

/** The clock of a lock is cut to the second. */
const CLOCK_MS = 1_000;

/** Records a process until it has ended by itself; returns what says so. */
export function recordStartedEngine(pid: number | undefined): () => void {
  const file = pid === undefined ? undefined : recordFileOf(pid);
  if (pid === undefined || file === undefined) return () => undefined;
  const record: StartedEngine = { pid, machine: identifyMachine(), startedMs: Date.now() };
  // Where nothing can be written, a lock is judged by the forge and by its age.
  tryOrUndefined(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeOwnFile(file, JSON.stringify(record));
  });
  return () => {
    tryOrUndefined(() => rmSync(file, { force: true }));
  };
}

/** Whether a lock is of a process that a command on this machine started, and that is gone. */
export function isOfKilledEngine(lock: LockHolder): boolean {
  if (lock.host !== hostname() || isIdInUse(lock.pid)) return false;
  const record = readRecord(lock.pid);
  return (
    record?.pid === lock.pid &&
    record.machine === identifyMachine() &&
    Date.parse(lock.since) >= record.startedMs - CLOCK_MS
  );
}

function readRecord(pid: number): StartedEngine | undefined {
  const file = recordFileOf(pid);
  const text = file === undefined ? undefined : tryOrUndefined(() => readTextFile(file));
  return text === undefined ? undefined : started.safeParse(parseJson(text)).data;
}

function recordFileOf(pid: number): string | undefined {
  const folder = findStateFolder();
  return folder === undefined ? undefined : join(folder, "engines", `${pid}.json`);
}
