import { spawn } from "node:child_process";
import { Redactor } from "../provider/client/redaction/redactor";
import { listSecretSettings } from "../provider/process/config";

/** What a command of the engine printed, and its exit code. */
export interface PulumiCommandResult {
  readonly code: number;
  readonly stdout: string;
  /** Without the token and the passwords of addresses: what of it is shown, or written into a README, is cut. */
  readonly said: string;
}

/** Runs commands of the engine that is on `PATH`, in a folder. */
export type Pulumi = (
  args: readonly string[],
  options?: { readonly input?: string; readonly cwd?: string },
) => Promise<PulumiCommandResult>;

/** The engine for a program's folder. What is secret goes in by `input`, never by an argument. */
export function createPulumi(folder: string, env: NodeJS.ProcessEnv): Pulumi {
  return (args, { input = "", cwd = folder } = {}) =>
    runTool("pulumi", [...args, "--non-interactive"], { cwd, env, input });
}

export function runTool(
  program: string,
  args: readonly string[],
  {
    cwd,
    env,
    input = "",
  }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<PulumiCommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      said += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    // A command that does not read its input ends before it is written.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.once("error", (error) => {
      reject(
        new Error(
          `${program} cannot be run: ${error.message}. Install it, or pass --no-import to write the program only.`,
        ),
      );
    });
    child.once("close", (code) => {
      const redactor = new Redactor().with(listSecretSettings(env, () => undefined));
      resolve({ code: code ?? 1, stdout, said: redactor.redact(said) });
    });
  });
}

/** Fails with what the command said where it did not succeed. */
export async function requireExitZero(
  command: Promise<PulumiCommandResult>,
  what: string,
): Promise<PulumiCommandResult> {
  const ran = await command;
  if (ran.code !== 0) throw new Error(`${what} failed: ${ran.said.trim().slice(-4_000)}`);
  return ran;
}
