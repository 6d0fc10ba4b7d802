import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { tryOrUndefined } from "../../spec/try-or-undefined";

/** A process, distinguished from all others: neither a reused process id nor the equal one of another container counts. */
export const processIdentity = z.object({
  /** Made up when the process began. */
  token: z.string(),
  pid: z.int(),
  /** When the operating system started it, in the system's own unit. */
  started: z.string(),
  /** The machine, its boot and its space of process ids. */
  machine: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

/** Who writes a ledger, and who of the others still runs. */
export interface Processes {
  readonly own: ProcessIdentity;
  isRunning(process: ProcessIdentity): boolean;
}

/** The processes of this machine, looked at when asked for. */
export function systemProcesses(): Processes {
  let own: ProcessIdentity | undefined;
  const machine = identifyMachine();
  return {
    get own() {
      return (own ??= {
        token: randomUUID(),
        pid: process.pid,
        started: readStartTime(process.pid) ?? "",
        machine,
      });
    },
    isRunning: (mark) => mark.machine === machine && readStartTime(mark.pid) === mark.started,
  };
}

/** The machine, its boot and its space of process ids, as a process identity has them. */
export function identifyMachine(): string {
  const boot = tryOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const space = tryOrUndefined(() => readlinkSync("/proc/self/ns/pid"));
  return [hostname(), boot, space].filter((part) => part !== undefined).join(" ");
}

/** Whether any process of this machine has the id. */
export function isIdInUse(pid: number): boolean {
  return readStartTime(pid) !== undefined;
}

/** When the process with this id was started; undefined when none runs. */
function readStartTime(pid: number): string | undefined {
  if (process.platform === "linux") return startOnLinux(pid);
  if (!answersSignals(pid)) return undefined;
  // Where nothing shows it, a process with the same id counts as the same one.
  return tryOrUndefined(() => readSystemStart(pid)) ?? "";
}

function readSystemStart(pid: number): string {
  const started =
    process.platform === "win32"
      ? execFileSync("powershell", ["-NoProfile", "-Command", `(Get-Process -Id ${pid}).StartTime.Ticks`])
      : execFileSync("ps", ["-o", "lstart=", "-p", String(pid)]);
  return started.toString().trim();
}

/** The system's ticks from its boot to the start; a killed process that nobody has collected (`Z`) runs no more. */
function startOnLinux(pid: number): string | undefined {
  const stat = tryOrUndefined(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // "pid (name) state …", where the name may hold blanks and brackets; the start is the 22nd field.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields === undefined || fields[0] === "Z" ? undefined : fields[19];
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
