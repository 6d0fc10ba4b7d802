import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CANCEL_FILE } from "../provider/client/cancel-file";
import { omitForgeTokens } from "./job-secrets";
import { recordStartedEngine } from "./started-engines";

/** Where commands run, and who hears of them. */
export interface Commands {
  /** Folder of the program. */
  readonly workDir: string;
  /** Tells the command to stop, and lets no further one begin. */
  readonly signal?: AbortSignal | undefined;
  readonly out?: ((text: string) => void) | undefined;
  readonly err?: ((text: string) => void) | undefined;
}

export interface EngineOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, as they came. */
  readonly said: string;
}

/** Node.js says of a missing folder what it says of a missing program. */
function explainNotRun(error: NodeJS.ErrnoException, program: string, workDir: string): string {
  if (error.code !== "ENOENT") return `${program} cannot be run: ${error.message}`;
  if (!existsSync(workDir))
    return `${program} cannot be run, because the folder ${workDir} does not exist. Pass the folder of Pulumi.yaml as --work-dir.`;
  const remedy =
    program === "pulumi"
      ? "Install Pulumi's CLI in this job, in a folder of PATH"
      : "Check its name, and the PATH of this job";
  return `${program} cannot be run, because no folder of PATH has such a program. ${remedy}.`;
}

/** Windows has no process groups, and gives a detached process a window of its own. */
const HAS_GROUPS = process.platform !== "win32";

/**
 * Runs a command to its end. It has a process group of its own: what a terminal or a forge sends to all of a group reaches it
 * once, by us. A second interrupt would end the engine at once, with the stack locked. After the first it waits for the steps
 * under way: a file tells our dynamic providers to end theirs.
 */
export function runCommand(
  [program = "", ...args]: readonly string[],
  { workDir, signal, out, err }: Commands,
  env: Readonly<Record<string, string>> = {},
): Promise<EngineOutput> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const folder = mkdtempSync(join(tmpdir(), "management-run-"));
    const cancelFile = join(folder, "cancelled");
    const child = spawn(program, args, {
      cwd: workDir,
      env: { ...omitForgeTokens(process.env), ...env, [CANCEL_FILE]: cancelFile },
      detached: HAS_GROUPS,
      stdio: ["inherit", "pipe", "pipe"],
    });
    const forget = recordStartedEngine(child.pid);
    const interrupt = (): void => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      if (HAS_GROUPS) process.kill(-child.pid, "SIGINT");
      else child.kill("SIGINT");
      writeFileSync(cancelFile, "");
    };
    signal?.addEventListener("abort", interrupt, { once: true });
    let stdout = "";
    let stderr = "";
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      said += text;
      out?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      said += text;
      err?.(text);
    });
    const end = (): void => {
      signal?.removeEventListener("abort", interrupt);
      rmSync(folder, { recursive: true, force: true });
    };
    child.once("error", (error) => {
      end();
      reject(new Error(explainNotRun(error, program, workDir)));
    });
    child.once("close", (code, killedBy) => {
      end();
      if (killedBy === null) forget();
      resolve({ code: code ?? 1, stdout, stderr, said });
    });
  });
}
