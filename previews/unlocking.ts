import { setTimeout as sleep } from "node:timers/promises";
import { AttemptOutput } from "./attempt-output";
import { runCommand, type Commands, type EngineOutput } from "./engine-command";
import { isOfKilledEngine, type LockHolder } from "./started-engines";

/** What the CLI says of a lock on a backend of one's own: whose it is, and since when. */
const LOCK = /: created by (.{1,200}?)@([^@\s]{1,253}) \(pid (\d{1,10})\) at (\d{4}-\d\d-\d\dT\S{1,40})/;

/** A lock of a stack. */
export interface StackLock extends LockHolder {
  readonly user: string;
}

/** How a lock is known to be a dead runner's. */
export interface Unlocking {
  /** A lock that is older is one: no job lasts so long. */
  readonly unlockAfterMs?: number | undefined;
  /** Asks the forge. */
  readonly isOfEndedRun?: ((lock: StackLock) => Promise<boolean>) | undefined;
  /** Waits until nothing of a killed process is under way; 15 s when absent. */
  readonly settle?: (() => Promise<void>) | undefined;
}

/** The providers of an engine that was killed end after ten seconds: a write that has left may take so long. */
const SETTLED_MS = 15_000;

/** How the CLI refuses a command for locks on a backend of one's own. */
const LOCKED = /the stack is currently locked by (\d+) lock\(s\)/;
/** The same of Pulumi Cloud. */
const IN_PROGRESS = /Another update is currently in progress/;

interface LockedStack {
  readonly stackName: string;
  /** Of the program, in its repository. */
  readonly folder: string | undefined;
}

/** The locks that a refused command names; undefined where it was refused for anything else, or one of them cannot be read. */
export function parseLocks(said: string): readonly StackLock[] | undefined {
  const [, count] = LOCKED.exec(said) ?? [];
  if (count === undefined) return undefined;
  // One message may be there twice, as of an error that repeats what was printed.
  const lines = new Set(said.split("\n").flatMap((line) => LOCK.exec(line)?.[0] ?? []));
  if (lines.size !== Number(count)) return undefined;
  return [...lines].map((line) => {
    const [, user = "", host = "", pid = "", since = ""] = LOCK.exec(line) ?? [];
    return { user, host, pid: Number(pid), since };
  });
}

/** Without the locks' paths, which are the state backend's, and the engine's advice, whose command needs a folder and a stack. */
export function shortenLocks(said: string): string {
  return said
    .replaceAll(/(?<=is currently locked by \d+ lock\(s\))\. Either wait .*$/gm, ":")
    .replaceAll(/^.*: (?=created by .{1,200}?@[^@\s]{1,253} \(pid \d{1,10}\) at )/gm, "");
}

/** How to continue where a lock refused a command; undefined where none did. */
export function adviseOnLock(
  said: string,
  { stackName, folder, unlockAfterMs, isOfEndedRun }: Unlocking & LockedStack,
): string | undefined {
  if (!LOCKED.test(said) && !IN_PROGRESS.test(said)) return undefined;
  const locks = parseLocks(said);
  const sinceMs = (locks ?? []).reduce((latest, lock) => Math.max(latest, Date.parse(lock.since)), -Infinity);
  const ends = [
    // Rounded up: a run after that minute finds them old enough.
    ...(unlockAfterMs === undefined || !Number.isFinite(sinceMs)
      ? []
      : [`after ${formatUtcMinute(sinceMs + unlockAfterMs)}`]),
    ...(isOfEndedRun === undefined || locks === undefined
      ? []
      : ["once the forge says that the run that left it has been over for ten minutes"]),
  ];
  const removal =
    ends.length === 0
      ? "No run removes the lock."
      : `A run removes the lock and continues ${ends.join(", or ")}.`;
  return (
    `Another job uses the stack, or its runner was killed. If it is a job, wait until it ends, then run this one again. ${removal} ` +
    `To continue earlier after a killed runner, make sure that no job uses the stack, run \`pulumi cancel --yes --stack ${stackName}\` in ` +
    `${folder === undefined ? "the folder of `Pulumi.yaml`" : `\`${folder}/\``}, logged in to the state backend, and run the job again.`
  );
}

function formatUtcMinute(ms: number): string {
  const minute = new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();
  return `${minute.slice(0, 16).replace("T", " ")} UTC`;
}

/** Who left the locks that a refused command names; undefined where somebody may be at work. */
export async function findDeadLocks(
  said: string,
  unlocking: Unlocking,
  nowMs = Date.now(),
): Promise<string | undefined> {
  const told: string[] = [];
  for (const lock of parseLocks(said) ?? []) {
    const why = await explainDead(lock, unlocking, nowMs);
    if (why === undefined) return undefined;
    told.push(`${lock.user}@${lock.host} since ${lock.since}, ${why}`);
  }
  return told.length === 0 ? undefined : told.join("; ");
}

async function explainDead(
  lock: StackLock,
  { unlockAfterMs, isOfEndedRun, settle }: Unlocking,
  nowMs: number,
): Promise<string | undefined> {
  if (unlockAfterMs !== undefined && nowMs - Date.parse(lock.since) > unlockAfterMs)
    return "longer than any job lasts";
  if (isOfKilledEngine(lock)) {
    await (settle ?? (() => sleep(SETTLED_MS)))();
    return "by a process of this machine that was killed";
  }
  return (await isOfEndedRun?.(lock)) === true ? "by a run that is over, as the forge says" : undefined;
}

/** Runs a command of the CLI, and once more where only locks of dead runners were in its way. */
export async function runUnlocking(
  command: readonly string[],
  { stackName, ...unlocking }: Unlocking & { readonly stackName: string },
  commands: Commands,
): Promise<EngineOutput> {
  // Whichever stack is selected: it is this one that was looked at.
  const env = { PULUMI_STACK: stackName };
  const output = new AttemptOutput(commands);
  try {
    const first = await runCommand(command, output.commands, env);
    const dead = first.code === 0 ? undefined : await findDeadLocks(first.said, unlocking);
    if (dead === undefined) return first;
    const cancelled = await runCommand(["pulumi", "cancel", "--yes", "--stack", stackName], commands);
    if (cancelled.code !== 0) return cancelled;
    const say = (line: string): void => commands.err?.(`${line}\n`);
    say(`The stack ${stackName} was locked by ${dead}. The lock was removed, and the command runs again.`);
    output.showRepeated(say);
  } finally {
    output.show();
  }
  return runCommand(command, commands, env);
}
