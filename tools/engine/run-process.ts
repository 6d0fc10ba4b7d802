import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Environment, errorMessage } from "./engine";
import { killProcessTree } from "./process-tree";

export interface RunProcessOptions {
  cwd?: string;
  env?: Environment;
  /** The user and group to run as; only root may say. */
  uid?: number;
  gid?: number;
  /** The whole process tree is killed after this long. */
  timeoutMs: number;
  /** … or after this long without a line of output. */
  idleTimeoutMs?: number;
  onLine?: (line: string) => void;
}

export interface ProcessResult {
  exitCode: number;
  stdout: string;
  /** Both streams in the order of arrival, without the bulk: the last lines only. */
  lastLines: string[];
  timedOut: boolean;
}

const KEPT_LINES = 20;

/** Runs a program to its end; a missing program or a timeout is a result too, so that the next way can be tried. */
export function runProcess(
  command: string,
  args: readonly string[],
  options: RunProcessOptions,
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const result: ProcessResult = { exitCode: -1, stdout: "", lastLines: [], timedOut: false };
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      ...(options.uid === undefined ? {} : { uid: options.uid }),
      ...(options.gid === undefined ? {} : { gid: options.gid }),
      stdio: ["ignore", "pipe", "pipe"],
    });

    const stop = (): void => {
      result.timedOut = true;
      if (child.pid !== undefined) killProcessTree(child.pid);
    };
    const deadline = setTimeout(stop, options.timeoutMs);
    const idle = options.idleTimeoutMs === undefined ? undefined : setTimeout(stop, options.idleTimeoutMs);

    const read = (stream: Readable, keep: boolean): void => {
      createInterface({ input: stream }).on("line", (line) => {
        idle?.refresh();
        if (keep) result.stdout += `${line}\n`;
        result.lastLines = [...result.lastLines, line].slice(-KEPT_LINES);
        options.onLine?.(line);
      });
    };
    read(child.stdout, true);
    read(child.stderr, false);

    const finish = (exitCode: number): void => {
      clearTimeout(deadline);
      clearTimeout(idle);
      result.exitCode = exitCode;
      resolve(result);
    };
    child.on("error", (error) => {
      result.lastLines.push(errorMessage(error));
      finish(-1);
    });
    child.on("close", (code) => finish(code ?? -1));
  });
}

/** The line of a failed run that most likely says why. */
export function failureLine(result: ProcessResult): string {
  const lines = result.lastLines.map((line) => line.trim()).filter((line) => line !== "");
  return lines.at(-1) ?? `it ended with code ${result.exitCode} and said nothing`;
}
