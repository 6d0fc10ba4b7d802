import { ApiError, InvalidInputError, isRefusal } from "../client/errors";
import { defineProblem } from "../client/problem";
import { UnclearHistoryError } from "../converge/history-place";
import { contentOf } from "../converge/migration-history";
import { builtWithoutHistory, statementsOf } from "../converge/migration-query";
import { sha256 } from "../converge/sha256";
import { statementsOf as statementsIn, type Statement } from "../converge/sql-statements";
import type { Context } from "../define/context";

export const consentProblems = {
  notConsented: defineProblem({
    says: "Merging the branch {branchRef} may change or remove what {ref} has, and its data: {why}. Nothing was merged{given}. {remedy}.\nThe difference, with the fingerprint {fingerprint}:\n{diff}",
    means:
      "The branch's schema differs from the project's by a statement that alters or drops something and stands in no migration that the merge brings, or by something that cannot be judged. What the service does with such a difference is not documented.",
    remedy:
      "Bring the change to the branch by a migration, or, if the whole difference may come about, set `confirm` to its fingerprint",
  }),
};

export interface Merge {
  readonly projectRef: string;
  readonly branchRef: string;
  readonly migrationVersion?: string | undefined;
  readonly confirm?: string | undefined;
}

/** A longer difference is shown in part; `getBranchDiff` answers the whole of it. */
const SHOWN_CHARACTERS = 20_000;

/** Refuses a merge whose effect on the project no migration tells, unless the program names the very difference. */
export async function requireConsent(ctx: Context, merge: Merge): Promise<void> {
  const { projectRef: ref, branchRef, confirm } = merge;
  const diff = await ctx.api.diffBranch({ branch_id_or_ref: branchRef });
  const brought = await broughtBy(ctx, merge);
  const reasons = [...unexplained(diff, brought.statements), ...brought.reasons];
  if (reasons.length === 0) return;
  const shown = [diff.trimEnd(), ...brought.shown].join("\n");
  const fingerprint = sha256(shown).slice(0, 16);
  if (confirm === fingerprint) return;
  const given = confirm === undefined ? "" : `, as \`confirm\` is of another difference`;
  const why = reasons.join("; ");
  throw new InvalidInputError(
    "confirm",
    consentProblems.notConsented.message({ ref, branchRef, why, given, fingerprint, diff: cut(shown) }),
  );
}

function cut(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}\n… and ${text.length - SHOWN_CHARACTERS} more characters, which getBranchDiff shows`;
}

/** What a merge brings to the project's history. */
interface Brought {
  readonly statements: ReadonlySet<string>;
  /** What speaks against it by itself. */
  readonly reasons: readonly string[];
  /** Lines that are shown with the difference, and belong to what is consented to. */
  readonly shown: readonly string[];
}

async function broughtBy(ctx: Context, { projectRef, branchRef, migrationVersion }: Merge): Promise<Brought> {
  try {
    const there = await statementsOf(ctx, projectRef);
    const own = await statementsOf(ctx, branchRef);
    const added = [...own].filter(([version]) => !there.has(version) && isUpTo(version, migrationVersion));
    const statements = new Set(
      added.flatMap(([, texts]) => texts.flatMap((text) => statementsIn(text).map(literally))),
    );
    const isFirst = there.size === 0 && added.length > 0;
    const built = isFirst ? await builtWithoutHistory(ctx, projectRef) : [];
    if (built.length > 0)
      return {
        statements,
        reasons: [
          `the project has tables, as ${built.join(", ")}, and no history of migrations, so the merge may apply what it has already`,
        ],
        shown: added.map(([version]) => `-- migration ${version}`),
      };
    const twice = appliedAs(
      added,
      [...there].filter(([version]) => !own.has(version)),
    );
    return {
      statements,
      reasons: twice.map(
        ([version, as]) =>
          `the project has the statements of the branch's migration ${version} already, as ${as}, so the merge may apply them again`,
      ),
      shown: twice.map(([version, as]) => `-- migration ${version}, which the project has as ${as}`),
    };
  } catch (error) {
    const isClosed = error instanceof ApiError && error.status === 403;
    if (!isClosed && !isRefusal(error) && !(error instanceof UnclearHistoryError)) throw error;
    // Which migrations the merge brings cannot be seen: none of them explains anything.
    return { statements: new Set(), reasons: [], shown: [] };
  }
}

type Row = readonly [version: string, statements: readonly string[]];

/**
 * Which of these migrations the project has under another version, as where one program applied a file by the query
 * endpoint and another by that of migrations.
 */
function appliedAs(added: readonly Row[], onlyThere: readonly Row[]): [string, string][] {
  const known = new Map(onlyThere.map(([version, statements]) => [contentOf(statements), version]));
  return added.flatMap(([version, statements]) => {
    const as = known.get(contentOf(statements));
    return as === undefined ? [] : [[version, as]];
  });
}

/** By whichever order the service takes versions. */
function isUpTo(version: string, last: string | undefined): boolean {
  if (last === undefined || version === last) return true;
  const areNumbers = [version, last].every((each) => /^\d+$/.test(each));
  return version < last && areNumbers && BigInt(version) < BigInt(last);
}

/** What of a difference may take something from the project and stands in none of these statements. */
function unexplained(diff: string, brought: ReadonlySet<string>): string[] {
  const statements = statementsIn(diff);
  const made = new Set(statements.flatMap((statement) => madeBy(statement) ?? []));
  return statements.flatMap((statement) => {
    if (!statement.isWhole) return ["the difference cannot be read to its end"];
    if (isHarmless(statement) || isOfNew(statement, made) || brought.has(literally(statement))) return [];
    return [`no migration of the branch has \`${firstLine(literally(statement))}\``];
  });
}

/** Nothing that is there already changes by these. */
const HARMLESS =
  /^(?:create (?!or replace)|create or replace (?:function|procedure|trigger|view)|comment on|grant|revoke|set|begin|commit|start transaction|select pg_catalog set_config)\b/;

function isHarmless({ words }: Statement): boolean {
  return HARMLESS.test(words);
}

const MAKES = /^create (?:unlogged )?(table|sequence|type|schema|view|materialized view) +([^\s(;]+)/i;
const ALTERS = /^alter (table|sequence|type|schema|view|materialized view) +(?:only +)?([^\s(;]+)/i;

function madeBy(statement: Statement): string | undefined {
  return keyOf(MAKES, statement);
}

/** It alters what the very difference makes. */
function isOfNew(statement: Statement, made: ReadonlySet<string>): boolean {
  const key = keyOf(ALTERS, statement);
  return key !== undefined && made.has(key);
}

function keyOf(rule: RegExp, statement: Statement): string | undefined {
  const [, kind, name] = rule.exec(literally(statement)) ?? [];
  // A name in quotes may hold anything.
  if (kind === undefined || name === undefined || name.includes('"') || name === "if") return undefined;
  return `${kind} ${name}`.toLowerCase();
}

/** As it stands there, without the comments and blanks before it. */
function literally({ text }: Pick<Statement, "text">): string {
  return text.replace(/^(?:\s+|--[^\n]*(?:\n|$))+/, "").trim();
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
