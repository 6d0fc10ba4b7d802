import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** What a test file used; seconds are of processor time. */
export interface Usage {
  readonly ownSeconds: number;
  readonly childSeconds: number;
  readonly databases: number;
  readonly engineCommands: number;
}

export interface SuiteUsage extends Usage {
  readonly suite: string;
  /** Whether its tests were skipped, as the time of the run was up. */
  readonly isLate: boolean;
}

/** Ticks of the processor's clock in a second, as Linux tells all programs. */
const TICKS = 100;

/** Seconds that the child processes of this one have used, ended ones with their own included; 0 where there is no /proc. */
export function usedByChildren(): number {
  const own = statOf("self");
  if (own === undefined) return 0;
  const running = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === process.pid);
  return running.reduce((sum, stat) => sum + (stat?.used ?? 0) + (stat?.usedByEnded ?? 0), own.usedByEnded);
}

interface Stat {
  readonly parent: number;
  readonly used: number;
  readonly usedByEnded: number;
}

function statOf(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, and may hold blanks; ppid is the fourth, utime the fourteenth.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const seconds = (from: number): number => (Number(fields[from]) + Number(fields[from + 1])) / TICKS;
    return { parent: Number(fields[1]), used: seconds(11), usedByEnded: seconds(13) };
  } catch {
    return undefined;
  }
}

/** Counts the processes of one program that this process starts. */
export class SpawnedProgramCounter {
  private counted = 0;
  private started: ChildProcess[] = [];

  constructor(private readonly program: string) {
    subscribe("child_process", (message) => {
      // As node documents this channel.
      this.started.push((message as { process: ChildProcess }).process);
    });
  }

  /** The name of a program is known only once it was started, after the message. */
  count(): number {
    this.counted += this.started.filter(({ spawnfile }) => basename(spawnfile) === this.program).length;
    this.started = [];
    return this.counted;
  }
}
