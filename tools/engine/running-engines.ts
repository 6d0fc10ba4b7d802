import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "./engine";
import { type CommandOptions, type CommandResult, killEngine, runEngine } from "./engine-process";
import { type Orphan, Orphans, providersBelow } from "./orphans";
import { tryTo } from "./process-table";
import { killProcessTree } from "./process-tree";

/** The engines of one workspace, and the ways in which they end before their time. */
export class RunningEngines {
  private readonly running = new Set<ChildProcess>();
  private readonly orphaned = new Orphans();

  run(
    command: { pulumi: string; args: readonly string[]; cwd: string; env: Environment },
    options: CommandOptions,
  ): Promise<CommandResult> {
    let started: ChildProcess | undefined;
    return runEngine(command, options, (child) => this.running.add((started = child))).finally(() => {
      if (started !== undefined) this.running.delete(started);
    });
  }

  pids(): number[] {
    return [...this.running].flatMap((child) => runningPid(child) ?? []);
  }

  /** SIGKILL for the engine, the language host, the program and every provider, as when a machine loses power. */
  killEverything(): Promise<void> {
    return this.endWith(killEngine);
  }

  /** SIGKILL for the command-line program and for nothing that it has started, which may go on. */
  killAlone(): Promise<void> {
    return this.endWith((child) => {
      const pid = runningPid(child);
      if (pid === undefined) return;
      // A stopped engine starts nothing more.
      tryTo(() => child.kill("SIGSTOP"));
      this.orphaned.watchBelow(pid);
      child.kill("SIGKILL");
    });
  }

  /** SIGKILL for what serves this package's resources; the engine goes on. Returns the number of processes. */
  killProviders(): number {
    const providers = this.pids().flatMap(providersBelow);
    for (const provider of providers) killProcessTree(provider);
    return providers.length;
  }

  /** Lets the engines stand still, and nothing else, until `resume` or their end. */
  pause(): void {
    this.signal("SIGSTOP");
  }

  resume(): void {
    this.signal("SIGCONT");
  }

  /** What has outlived an engine that was killed alone. */
  orphans(): Orphan[] {
    return this.orphaned.alive();
  }

  async dispose(): Promise<void> {
    await this.killEverything();
    this.orphaned.reap();
  }

  private signal(signal: "SIGSTOP" | "SIGCONT"): void {
    for (const pid of this.pids()) tryTo(() => process.kill(pid, signal));
  }

  private async endWith(kill: (child: ChildProcess) => void): Promise<void> {
    const children = [...this.running];
    const closed = children.map((child) => once(child, "close"));
    for (const child of children) kill(child);
    await Promise.all(closed);
  }
}

function runningPid({ pid, exitCode, signalCode }: ChildProcess): number | undefined {
  return exitCode === null && signalCode === null ? pid : undefined;
}
