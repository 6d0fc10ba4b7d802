import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../provider/client/parse-json";
import { writeOwnFile } from "../provider/define/own-file";
import { stateFolder } from "../provider/process/state-folder";

// What a command here has started, while it runs: a process of the engine that was killed leaves its lock.

const started = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** Tells machines apart, and containers, that have one name. */
  system: z.string(),
  startedMs: z.number(),
});
const noSuchProcess = z.looseObject({ code: z.literal("ESRCH") });
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
  const folder = recordsFolder();
  if (pid === undefined || folder === undefined) return () => undefined;
  const record: StartedEngine = { pid, host: hostname(), system: system(), startedMs: Date.now() };
  const file = join(folder, `${pid}.json`);
  // Where nothing can be written, a lock is judged by the forge and by its age.
  tryOrUndefined(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeOwnFile(file, JSON.stringify(record));
  });
  return () => {
    tryOrUndefined(() => rmSync(file, { force: true }));
  };
}

/** Whether a lock is of a process that a command on this machine started, and that is gone. */
export function isOfKilledEngine(lock: LockHolder): boolean {
  const lockedMs = Date.parse(lock.since);
  return (
    lock.host === hostname() &&
    !isAlive(lock.pid) &&
    readRecords().some(
      ({ pid, host, startedMs, ...record }) =>
        pid === lock.pid &&
        host === lock.host &&
        record.system === system() &&
        lockedMs >= startedMs - CLOCK_MS,
    )
  );
}

function readRecords(): StartedEngine[] {
  const folder = recordsFolder();
  const names = folder === undefined ? [] : (tryOrUndefined(() => readdirSync(folder)) ?? []);
  return names.flatMap((name) => {
    const text = tryOrUndefined(() => readFileSync(join(folder ?? "", name), "utf8"));
    const { success, data } = started.safeParse(text === undefined ? undefined : parseJson(text));
    return success ? [data] : [];
  });
}

function recordsFolder(): string | undefined {
  const folder = stateFolder();
  return folder === undefined ? undefined : join(folder, "engines");
}

/** The boot of the machine and the container within it, where the system tells. */
function system(): string {
  const boot = tryOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const processes = tryOrUndefined(() => readlinkSync("/proc/self/ns/pid"));
  return [boot, processes].join(" ");
}

function tryOrUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !noSuchProcess.safeParse(error).success;
  }
}
