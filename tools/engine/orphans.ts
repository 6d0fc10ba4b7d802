import { commandLineOf, readStat } from "./process-table";
import { descendants, isProcessAlive, killProcessTree } from "./process-tree";

/** A process that was below an engine when that was killed. */
export interface Orphan {
  pid: number;
  commandLine: string;
}

type Watched = Orphan & { startedAt: string | undefined };

/** What a dynamic provider and this package's plugin are started as: by the launcher, and by node. */
const PROVIDERS = ["pulumi-resource-pulumi-nodejs", "cmd/dynamic-provider", "pulumi-resource-management"];

export function isProvider({ commandLine }: Orphan): boolean {
  return PROVIDERS.some((name) => commandLine.includes(name));
}

/** The processes of the providers below an engine. */
export function providersBelow(enginePid: number): number[] {
  return descendants(enginePid).filter((pid) => isProvider({ pid, commandLine: commandLineOf(pid) }));
}

const everyone = new Set<Orphans>();
process.once("exit", () => {
  for (const orphans of everyone) orphans.reap();
});

/** What outlives a killed engine: nobody else knows afterwards whose it was. */
export class Orphans {
  private watched: Watched[] = [];

  constructor() {
    everyone.add(this);
  }

  /** To be called while the engine is stopped: what it started is then complete. */
  watchBelow(enginePid: number): void {
    for (const pid of descendants(enginePid)) {
      this.watched.push({ pid, commandLine: commandLineOf(pid), startedAt: readStat(pid)?.startedAt });
    }
  }

  alive(): Orphan[] {
    // The id of one that has ended may be another's by now.
    return this.watched.filter(
      ({ pid, startedAt }) => isProcessAlive(pid) && readStat(pid)?.startedAt === startedAt,
    );
  }

  reap(): void {
    for (const { pid } of this.alive()) killProcessTree(pid);
    this.watched = [];
    everyone.delete(this);
  }
}
