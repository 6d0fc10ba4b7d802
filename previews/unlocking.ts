import { runCommand, type Commands, type Ran } from "./engine-command";

/** What the CLI says of a lock on a backend of one's own: whose it is, and since when. */
const LOCK = /: created by (.+?) \(pid \d+\) at (\d{4}-\d\d-\d\dT\S+)/;

interface DeadLocks {
  /** A lock that is older is a dead runner's: no job lasts so long. */
  readonly olderThanMs: number;
  readonly nowMs: number;
}

/**
 * Who left the locks that a refused command names; undefined where it was refused for anything else, or one of the locks is
 * younger or cannot be read: somebody may be at work.
 */
export function findDeadLocks(said: string, { olderThanMs, nowMs }: DeadLocks): string | undefined {
  const [, count] = /the stack is currently locked by (\d+) lock\(s\)/.exec(said) ?? [];
  if (count === undefined) return undefined;
  // One message may be there twice, as of an error that repeats what was printed.
  const lines = new Set(said.split("\n").flatMap((line) => LOCK.exec(line)?.[0] ?? []));
  if (lines.size !== Number(count)) return undefined;
  const holders = [...lines].map((line) => {
    const [, holder = "", since = ""] = LOCK.exec(line) ?? [];
    return { holder, since, isOld: nowMs - Date.parse(since) > olderThanMs };
  });
  if (!holders.every(({ isOld }) => isOld)) return undefined;
  return holders.map(({ holder, since }) => `${holder} since ${since}`).join(", ");
}

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
  const dead = findDeadLocks(first.said, { olderThanMs: unlockAfterMs, nowMs: Date.now() });
  if (dead === undefined) return first;
  commands.err?.(
    `The stack ${stackName} was locked by ${dead}, longer than any job lasts. The lock was removed, and the command runs again.\n`,
  );
  const cancelled = await runCommand(["pulumi", "cancel", "--yes", "--stack", stackName], commands);
  return cancelled.code === 0 ? runCommand(command, commands, env) : cancelled;
}
