import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import type { Context } from "../../define/context";
import { splitScript as statementsIn, type Statement } from "../../resources/database/shared/sql";
import { branchInputs, inActionRun, migrationVersion } from "./shared/branch-run";
import { broughtBy, fingerprint, requireConfirmed, type Row, type Transfer } from "./shared/consent";
import { defineAction, everyAction } from "../define-action";

const merging = inActionRun(
  (ctx, ref, body) => ctx.api.mergeBranch({ branch_id_or_ref: ref, body }),
  requireConsent,
);

const consentProblems = {
  notConsented: defineProblem({
    says: "Merging the branch {branchRef} may change or delete objects of {ref} and their data: {why}. Nothing was merged{given}. {remedy}.\nThe difference, with the fingerprint {fingerprint}:\n{diff}",
    means:
      "The schemas of branch and project differ by a statement that alters or drops something and is not in a migration of the merge, or by something that cannot be read. The service does not document what it does with such a difference.",
    remedy:
      "Write a migration for the change on the branch. Or, if you want the whole difference, set `confirm` to its fingerprint",
  }),
};

/** Merges a branch into its project. */
export const branchMerge = defineAction({
  type: "BranchMerge",
  description:
    "Merges a branch into its parent project: its migrations, other differences of its schema, and its functions. If the merge would alter or drop something in the project that no new migration of the branch covers, creation fails, shows the difference and asks for `confirm`. Creation waits for the action run. If the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    migrationVersion: migrationVersion("Version of the last migration to merge. Default: all."),
    confirm: fingerprint(
      "a difference",
      "Consent to the difference that the error shows: its fingerprint. If the difference changes, creation asks again.",
    ),
    ...everyAction,
  }),
  ...merging,
  problems: { ...merging.problems, ...consentProblems },
});

/** Refuses a merge whose effect on the project no migration tells, unless the program names the very difference. */
async function requireConsent(ctx: Context, merge: Transfer): Promise<void> {
  const { projectRef: ref, branchRef, confirm } = merge;
  const diff = await ctx.api.diffBranch({ branch_id_or_ref: branchRef });
  const brought = await broughtBy(ctx, {
    from: { ref: branchRef, word: "branch" },
    to: { ref, word: "project" },
    by: "merge",
    upTo: merge.migrationVersion,
  });
  // Where it cannot be seen which migrations the merge brings, none of them explains anything.
  const { migrations, ...own } = brought ?? { migrations: [], reasons: [], shown: [] };
  const reasons = [...unexplained(diff, collectStatements(migrations)), ...own.reasons];
  if (reasons.length === 0) return;
  const shown = [diff.trimEnd(), ...own.shown].join("\n");
  const given = confirm === undefined ? "" : `, because \`confirm\` belongs to another difference`;
  const why = reasons.join("; ");
  requireConfirmed(shown, confirm, (fingerprint) =>
    consentProblems.notConsented.message({ ref, branchRef, why, given, fingerprint, diff: cut(shown) }),
  );
}

/** A longer difference is shown in part; `getBranchDiff` answers the whole of it. */
const SHOWN_CHARACTERS = 20_000;

function cut(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}\n… and ${text.length - SHOWN_CHARACTERS} more characters, which getBranchDiff shows`;
}

function collectStatements(migrations: readonly Row[]): Set<string> {
  return new Set(
    migrations.flatMap(([, texts]) => texts.flatMap((text) => statementsIn(text).map(literally))),
  );
}

/** What of a difference may take something from the project and stands in none of these statements. */
function unexplained(diff: string, brought: ReadonlySet<string>): string[] {
  const statements = statementsIn(diff);
  const made = new Set(statements.flatMap((statement) => madeBy(statement) ?? []));
  return statements.flatMap((statement) => {
    if (!statement.isWhole) return ["the difference cannot be read completely"];
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

function madeBy(statement: Statement): string | undefined {
  return matchStatement(MAKES, statement);
}

const ALTERS = /^alter (table|sequence|type|schema|view|materialized view) +(?:only +)?([^\s(;]+)/i;

/** It alters what the very difference makes. */
function isOfNew(statement: Statement, made: ReadonlySet<string>): boolean {
  const key = matchStatement(ALTERS, statement);
  return key !== undefined && made.has(key);
}

function matchStatement(rule: RegExp, statement: Statement): string | undefined {
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
