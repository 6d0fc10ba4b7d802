import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessStat {
  state: string;
  parent: number;
  /** Distinguishes a process from a later one that was given the same id. */
  startedAt: string;
}

/** Every process with its parent. */
export function processParents(): [pid: number, parent: number][] {
  return process.platform === "linux" ? parentsFromProc() : parentsFromPs();
}

/** Linux: read directly, since slim images carry no `ps`. */
function parentsFromProc(): [number, number][] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      const stat = statFromProc(Number(name));
      return stat === undefined ? [] : [[Number(name), stat.parent]];
    });
}

function parentsFromPs(): [number, number][] {
  const table = askPs(["-A", "-o", "pid=,ppid="]) ?? "";
  return table.split("\n").flatMap((line): [number, number][] => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid === undefined || parent === undefined ? [] : [[pid, parent]];
  });
}

export function readStat(pid: number): ProcessStat | undefined {
  if (process.platform === "linux") return statFromProc(pid);
  const [state, parent, ...started] =
    askPs(["-p", String(pid), "-o", "state=,ppid=,lstart="])?.split(/\s+/) ?? [];
  if (state === undefined || parent === undefined) return undefined;
  return { state, parent: Number(parent), startedAt: started.join(" ") };
}

function statFromProc(pid: number): ProcessStat | undefined {
  const text = tryTo(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // "pid (name) state parent …", where the name may hold blanks and brackets; the start is the 22nd of all.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const [state, parent, startedAt] = [fields[0], fields[1], fields[19]];
  if (state === undefined || parent === undefined || startedAt === undefined) return undefined;
  return { state, parent: Number(parent), startedAt };
}

/** The program with its arguments, separated by blanks; empty when the process has ended. */
export function commandLineOf(pid: number): string {
  const text =
    process.platform === "linux"
      ? tryTo(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))
      : askPs(["-p", String(pid), "-o", "command="]);
  return text?.replaceAll("\0", " ").trim() ?? "";
}

/** The memory that a process has at this moment, in bytes; 0 when it has ended. */
export function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB$/m.exec(tryTo(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? "")?.[1]
      : askPs(["-p", String(pid), "-o", "rss="]);
  return Number(kilobytes ?? 0) * 1_024;
}

function askPs(args: string[]): string | undefined {
  return tryTo(() =>
    execFileSync("ps", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim(),
  );
}

/** A process may end between being seen and being asked or signalled. */
export function tryTo<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
