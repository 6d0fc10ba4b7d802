import { AttemptOutput } from "./attempt-output";
import type { Commands, EngineOutput } from "./engine-command";
import { requirePreview, type Preview } from "./preview";
import { findHistoryRefusal, findUnusableBranch } from "./recreation";
import { createStack, readStack } from "./stacks";
import type { StackState } from "./stack-state";
import { runUnlocking, type Unlocking } from "./unlocking";

/** A command that is to run with the stack of a preview selected. */
export interface PreviewRun {
  readonly preview: Preview;
  readonly stackName: string;
  readonly command: readonly string[];
  readonly commands: Commands;
  readonly unlocking: Unlocking;
  /** The stack as it is, which was looked at; undefined where there is none. */
  readonly before: StackState | undefined;
  /** Why the preview is recreated before the command runs. */
  readonly recreatesFor: string | undefined;
  /** Whether it is recreated where its database refuses the files for its history. */
  readonly recreatesOnHistory: boolean;
  /**
   * Whether the branch is made anew where its own run failed before anything else was made: the cause may have passed. False where
   * that was done before.
   */
  readonly remakesUnusable: boolean;
  /** Removes what is on the branch, and the branch. */
  readonly empty: () => Promise<void>;
  readonly say: (line: string) => void;
}

export interface EndedRun {
  readonly ran: EngineOutput;
  readonly recreated: string | undefined;
  /** Whether the branch's own run failed, and nothing else was made: what runs again finds it so. */
  readonly isUnusable: boolean;
  /** Whether the branch was made anew for that. */
  readonly isRemade: boolean;
  /** What the command's runs took in all. */
  readonly commandMs: number;
  /** The stack as it is now; undefined where that was not looked at, as of a run that was interrupted. */
  readonly after: StackState | undefined;
}

/**
 * Runs the command: once more without the locks of dead runners, or on a new branch where the database refuses the files for its
 * history, or the branch's own run failed.
 */
export async function runOnStack(run: PreviewRun): Promise<EndedRun> {
  const { stackName, commands, before, recreatesFor, say } = run;
  // Before the command, which would print an error first.
  if (before === undefined) await createStack(stackName, commands);
  const recreate = async (): Promise<Attempt> => {
    await run.empty();
    return runAttempt(run, commands);
  };
  if (recreatesFor !== undefined) {
    sayRecreated(run, recreatesFor);
    return { ...(await recreate()), recreated: recreatesFor, isRemade: false };
  }
  const output = new AttemptOutput(commands);
  try {
    const first = await runAttempt(run, output.commands);
    const { why, isRemade } = explainRecreation(run, first);
    if (why === undefined) return { ...first, recreated: undefined, isRemade };
    sayRecreated(run, why);
    const showErrors = output.showRepeated(say);
    let isDone = false;
    try {
      const second = await recreate();
      isDone = second.ran.code === 0;
      return { ...second, recreated: why, isRemade, commandMs: first.commandMs + second.commandMs };
    } finally {
      if (!isDone) showErrors();
    }
  } finally {
    output.show();
  }
}

type Attempt = Pick<EndedRun, "ran" | "after" | "isUnusable" | "commandMs">;

/** Runs the command, and looks at what the stack holds then. */
async function runAttempt(
  { preview, stackName, command, unlocking }: PreviewRun,
  commands: Commands,
): Promise<Attempt> {
  const startedMs = Date.now();
  const ran = await runUnlocking(command, { ...unlocking, stackName }, commands);
  const commandMs = Date.now() - startedMs;
  const after = commands.signal?.aborted === true ? undefined : await readStack(stackName, commands);
  if (after !== undefined) requireOwnBranches(preview, stackName, after);
  return { ran, after, isUnusable: explainUnusable(ran, after) !== undefined, commandMs };
}

function sayRecreated({ say }: PreviewRun, why: string): void {
  say(`The preview is recreated: ${why}.`);
}

/** Why a command is to run again on a new branch. What failed may be of a branch that the stack did not know before. */
function explainRecreation(
  { before, commands, recreatesOnHistory, remakesUnusable }: PreviewRun,
  { ran, after }: Attempt,
): { readonly why: string | undefined; readonly isRemade: boolean } {
  if (ran.code === 0 || commands.signal?.aborted === true) return { why: undefined, isRemade: false };
  const refs = [...listRefs(before), ...listRefs(after)];
  const history = recreatesOnHistory ? findHistoryRefusal(ran.said, refs) : undefined;
  if (history !== undefined) return { why: history, isRemade: false };
  const why = remakesUnusable ? explainUnusable(ran, after) : undefined;
  return { why, isRemade: why !== undefined };
}

/** Why the branch could not be used, where nothing else was made. */
function explainUnusable({ code, said }: EngineOutput, after: StackState | undefined): string | undefined {
  return code === 0 || after === undefined || after.holdsMore
    ? undefined
    : findUnusableBranch(said, listRefs(after));
}

function listRefs(state: StackState | undefined): string[] {
  return (state?.branches ?? []).flatMap(({ ref }) => ref ?? []);
}

/** A program can take over any branch. Such a stack could never be removed. */
function requireOwnBranches(preview: Preview, stackName: string, { branches }: StackState): void {
  for (const branch of branches) {
    const { ref = "unknown" } = branch;
    const what = `The branch ${branch.name ?? ref}, which the program took over into the stack ${stackName},`;
    requirePreview(what, { ...branch, ref }, preview, {
      consequence: "It was not removed, and no job changes or removes this stack until it is out of it.",
      remedy: `First run \`pulumi state delete\` for it on that stack, which leaves the branch as it is. Then remove it from the program.`,
    });
  }
}
