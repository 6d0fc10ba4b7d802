import { spawn } from "node:child_process";
import { deadLocksIn } from "./stack-locks";

export interface UnlockedRun {
  readonly command: readonly string[];
  readonly stackName: string;
  readonly workDir: string;
  readonly unlockAfterMs: number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs a command of the CLI, and once more where only locks of dead runners were in its way; the exit code. */
export async function runUnlocked(run: UnlockedRun): Promise<number> {
  const first = await ran(run, run.command);
  if (first.code === 0) return 0;
  const dead = deadLocksIn(first.said, { olderThanMs: run.unlockAfterMs, nowMs: Date.now() });
  if (dead === undefined) return first.code;
  run.err(`${lockTaken(run.stackName, dead)}\n`);
  const { code } = await ran(run, ["pulumi", "cancel", "--yes", "--stack", run.stackName]);
  return code === 0 ? (await ran(run, run.command)).code : code;
}

export function lockTaken(stackName: string, dead: string): string {
  return `The stack ${stackName} was locked by ${dead}, longer than any job lasts: the lock is taken away, and the command runs once more.`;
}

function ran(
  { workDir, out, err }: UnlockedRun,
  [program = "", ...args]: readonly string[],
): Promise<{ code: number; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: workDir, stdio: ["inherit", "pipe", "pipe"] });
    let said = "";
    const tell = (show: (text: string) => void) => (text: string) => {
      said += text;
      show(text);
    };
    child.stdout.setEncoding("utf8").on("data", tell(out));
    child.stderr.setEncoding("utf8").on("data", tell(err));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, said }));
  });
}
