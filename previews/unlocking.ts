import { runCommand, type Commands, type Ran } from "./engine-command";
import { deadLocksIn } from "./stack-locks";

/** A stack, and how old a lock on it has to be to be a dead runner's; none is taken away when that is absent. */
export interface LockedStack {
  readonly stackName: string;
  readonly unlockAfterMs?: number | undefined;
}

/** Runs a command of the CLI, and once more where only locks of dead runners were in its way. */
export async function runUnlocking(
  command: readonly string[],
  { stackName, unlockAfterMs }: LockedStack,
  commands: Commands,
): Promise<Ran> {
  // Whichever stack is selected: it is this one that was looked at.
  const env = { PULUMI_STACK: stackName };
  const first = await runCommand(command, commands, env);
  if (first.code === 0 || unlockAfterMs === undefined) return first;
  const dead = deadLocksIn(first.said, { olderThanMs: unlockAfterMs, nowMs: Date.now() });
  if (dead === undefined) return first;
  commands.err?.(
    `The stack ${stackName} was locked by ${dead}, longer than any job lasts: the lock is taken away, and the command runs once more.\n`,
  );
  const cancelled = await runCommand(["pulumi", "cancel", "--yes", "--stack", stackName], commands);
  return cancelled.code === 0 ? runCommand(command, commands, env) : cancelled;
}
