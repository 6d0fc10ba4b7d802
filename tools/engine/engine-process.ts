import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Environment } from "./engine";
import { killProcessTree } from "./process-tree";

export interface CommandOptions {
  /** Added to the workspace's environment for this command; undefined removes a variable. */
  env?: Environment;
  /** Aborting interrupts the engine as Ctrl-C does: it finishes what is under way and records it. */
  signal?: AbortSignal;
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
}

export interface CommandResult {
  /** The engine's own; -1 when it was killed. */
  exitCode: number;
  stdout: string;
  stderr: string;
  durationMs: number;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) killEngine(child);
});

/** Starts the command-line program; `started` gives the process, for a kill in the middle. */
export function runEngine(
  command: { pulumi: string; args: readonly string[]; cwd: string; env: Environment },
  options: CommandOptions,
  started: (child: ChildProcess) => void,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const result: CommandResult = { exitCode: -1, stdout: "", stderr: "", durationMs: 0 };
    const child = spawn(command.pulumi, command.args, {
      cwd: command.cwd,
      env: { ...command.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: the terminal's Ctrl-C must not reach it besides `signal`.
      detached: true,
    });
    running.add(child);
    started(child);

    const read = (stream: Readable, name: "stdout" | "stderr"): void => {
      createInterface({ input: stream }).on("line", (line) => {
        result[name] += `${line}\n`;
        options.onLine?.(line, name);
      });
    };
    read(child.stdout, "stdout");
    read(child.stderr, "stderr");

    const interrupt = (): void => void child.kill("SIGINT");
    options.signal?.addEventListener("abort", interrupt);
    if (options.signal?.aborted === true) interrupt();

    const settle = (): void => {
      running.delete(child);
      options.signal?.removeEventListener("abort", interrupt);
      result.durationMs = performance.now() - startedAt;
    };
    child.on("error", (error) => {
      settle();
      reject(error);
    });
    child.on("close", (code) => {
      settle();
      resolve({ ...result, exitCode: code ?? -1 });
    });
  });
}

/** SIGKILL for the engine, the language host, the program and every provider. */
export function killEngine(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    killProcessTree(child.pid);
}
