import type { ManagementClient } from "../provider/client";
import { NotFoundError } from "../provider/client/errors/errors";
import { problems as branchProblems } from "../provider/resources/branches/shared/branch-problems";
import { escapePattern } from "../spec/shown-text";
import { scriptProblems } from "../provider/actions/database/shared/script-runs";
import type { ProblemText } from "../provider/client/errors/problem";
import type { ListedBranch } from "./preview-branch";
import { migrationProblems } from "../provider/resources/database/shared/migration-problems";

/** What is refused for the history of the database alone: a new one takes the files as they are now. */
const OF_HISTORY: readonly ProblemText[] = [
  migrationProblems.changed,
  migrationProblems.renamed,
  migrationProblems.removed,
  migrationProblems.slippedIn,
];
/** How Postgres says that what a seed inserts or creates is there, or does not fit to what is. */
const OF_FORMER_ROWS = /\b(?:already exists|duplicate key|violates \w+(?: \w+)? constraint)\b/;

/**
 * Why a command failed on the branches of a preview that new ones would not refuse; undefined where it failed of
 * anything else, or on another database.
 */
export function findHistoryRefusal(said: string, refs: readonly string[]): string | undefined {
  const lines = said.split("\n");
  const findProblem = (problem: ProblemText): FoundMessage | undefined =>
    findMessage(lines, patternOf(problem), refs);
  for (const problem of OF_HISTORY) {
    const message = findProblem(problem);
    if (message !== undefined) return message.text;
  }
  const isOfTheSeed =
    findProblem(scriptProblems.otherQuery) !== undefined ||
    OF_FORMER_ROWS.test(findProblem(scriptProblems.failed)?.followedBy ?? "");
  return isOfTheSeed ? "the seed does not run on the rows of the former one" : undefined;
}

/**
 * How a command said that the service could not make one of these branches usable: its own run failed. Another command finds the
 * same failed run.
 */
export function findUnusableBranch(said: string, refs: readonly string[]): string | undefined {
  return findMessage(said.split("\n"), patternOf(branchProblems.notUsable), refs)?.text;
}

interface FoundMessage {
  readonly text: string;
  /** The rest of what was said, from the message on. */
  readonly followedBy: string;
}

/** A message stands on one line, and no name in it is so long that it goes further. */
const LONGEST_MESSAGE = 1_000;

function findMessage(
  lines: readonly string[],
  pattern: RegExp,
  refs: readonly string[],
): FoundMessage | undefined {
  for (const [at, line] of lines.entries()) {
    for (const { 0: text, index } of line.slice(0, LONGEST_MESSAGE).matchAll(pattern)) {
      if (!refs.some((ref) => text.includes(ref))) continue;
      return { text, followedBy: [line.slice(index), ...lines.slice(at + 1)].join("\n") };
    }
  }
  return undefined;
}

/** Its message up to the advice, which is one for a database that has to stay. */
function patternOf({ says }: ProblemText): RegExp {
  const [fact = ""] = says.split(/[:.] (?:\w+ )*\{remedy\}/);
  const parts = fact.split(/\{\w+\}/).map(escapePattern);
  const [first, ...rest] = parts;
  // A message that begins with a file's name has the engine's own words before it.
  const begin = first === "" ? [String.raw`(?<!\S)\S+${rest.shift() ?? ""}`] : [first];
  // A message that ends with a name has the advice behind it.
  const end = rest.at(-1) === "" ? [...rest.slice(0, -1), String.raw`[^\s:]+`] : rest;
  return new RegExp([...begin, ...end].join(String.raw`[^\n]*?`), "g");
}

/** Why a preview is recreated where somebody said so. */
export const ASKED_FOR = "that was asked for";

/**
 * Why a stack's branches have to be made anew: the service has none of them any more. A replaced branch may be gone alone, and
 * what a listing lacks may only be late in it: the service has to say of each that it does not exist.
 */
export async function explainGoneBranches(
  client: ManagementClient,
  branches: readonly ListedBranch[],
  refs: readonly string[],
): Promise<string | undefined> {
  if (refs.length === 0) return undefined;
  const listed = new Set(branches.map(({ project_ref: ref }) => ref));
  if (refs.some((ref) => listed.has(ref))) return undefined;
  const answers = await Promise.all(
    refs.map((ref) =>
      client.getBranchConfig({ branch_id_or_ref: ref }).then(
        () => false,
        (error: unknown) => {
          if (error instanceof NotFoundError) return true;
          throw error;
        },
      ),
    ),
  );
  return answers.every(Boolean) ? `its branch ${refs.join(", ")} no longer exists` : undefined;
}
