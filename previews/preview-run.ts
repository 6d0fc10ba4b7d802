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
  const { preview, stackName, command, commands, unlocking, before, recreatesFor, say } = run;
  let commandMs = 0;
  let recreated: string | undefined;
  const once = async (): Promise<EngineOutput> => {
    const startedMs = Date.now();
    const ran = await runUnlocking(command, { ...unlocking, stackName }, commands);
    commandMs += Date.now() - startedMs;
    return ran;
  };
  const recreate = async (why: string): Promise<void> => {
    say(`The preview is recreated: ${why}.`);
    await run.empty();
    recreated = why;
  };
  const look = async (): Promise<StackState | undefined> =>
    commands.signal?.aborted === true ? undefined : readStack(stackName, commands);
  // Before the command, which would print an error first.
  if (before === undefined) await createStack(stackName, commands);
  if (recreatesFor !== undefined) await recreate(recreatesFor);
  let ran = await once();
  const why = ran.code === 0 ? undefined : findHistoryRefusal(ran.said, listRefs(before));
  if (why !== undefined && recreated === undefined && run.recreatesOnHistory) {
    await recreate(why);
    ran = await once();
  }
  let after = await look();
  const unusable = explainUnusable(ran, after);
  const isRemade = unusable !== undefined && recreated === undefined && run.remakesUnusable;
  if (isRemade) {
    await recreate(unusable);
    ran = await once();
    after = await look();
  }
  if (after !== undefined) requireOwnBranches(preview, stackName, after);
  return {
    ran,
    recreated,
    isUnusable: explainUnusable(ran, after) !== undefined,
    isRemade,
    commandMs,
    after,
  };
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
