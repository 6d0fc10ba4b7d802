import { defineProblem } from "../../../client/errors/problem";
import type { CheckFailure } from "../../../define/resource";
import { lineAt, shortenStatement } from "./sql";
import { readSqlFile, type SqlFile } from "./sql-file";

/** What may be wrong with the SQL of a script or a seed. */
export const scriptFormProblems = {
  standsAlone: defineProblem({
    says: "{place} cannot run in one transaction with its record, because of `{statement}`: {remedy}",
    means:
      "The script is one statement that cannot run in a transaction, such as `create index concurrently`.",
    remedy:
      "Set `transaction: false`. In a `PreviewEnvironment` that holds for every seed: move it to a migration if others need a transaction",
  }),
  notBeside: defineProblem({
    says: "{place} has `{statement}`, which cannot run in a transaction or beside other statements: {remedy}",
    means:
      "A statement that cannot run in a transaction, such as `vacuum`, is not alone in its script. `transaction: false` does not help there.",
    remedy:
      "Move it to a script of its own with `transaction: false`, or from the seed of a `PreviewEnvironment` to a migration of its own",
  }),
  unpaired: defineProblem({
    says: "{place} has `{statement}`, which does not pair into transactions: {remedy}",
    means:
      "The script has a statement about transactions other than a plain `begin` and its `commit`, such as `rollback` or `savepoint`, or only one of the two.",
    remedy: "Remove it, or write `begin` and `commit` around what is one transaction",
  }),
  neverClosed: defineProblem({
    says: "{place} has `{statement}`, in which a quote, a comment or a parenthesis is never closed: {remedy}",
    means: "The last statement of the script ends within a literal, a comment or a parenthesis.",
    remedy: "Close it",
  }),
  severalTransactions: defineProblem({
    says: "{file} has {count} transactions. If one fails, those before it stay. {remedy}.",
    means: "Warning. The script has several `begin` and `commit`, so it cannot run in one transaction.",
    remedy:
      "The next run begins with the first again, so write SQL that can be repeated, or remove `begin` and `commit` to have all or nothing",
  }),
  forPsql: defineProblem({
    says: "{place} has `{statement}`, which only psql understands: {remedy}",
    means:
      "The script has rows of a dump (`copy … from stdin`) or a psql command (which begins with a backslash). Only the lines `\\restrict` and `\\unrestrict` of a dump are ignored.",
    remedy: "Write rows as inserts, as `pg_dump --rows-per-insert=1000` does, and remove psql commands",
  }),
  undoStandsAlone: defineProblem({
    says: "cannot run in one transaction with the removal of its record, because of `{statement}`: {remedy}",
    means: "`onDelete` has several transactions, or a statement that cannot run in one.",
    remedy: "Remove the statement",
  }),
};

const problems = scriptFormProblems;

interface ScriptText {
  readonly query?: string | undefined;
  readonly sourceFile?: string | undefined;
  readonly transaction?: boolean | undefined;
}

/** Why a script cannot be run with its record, in one transaction or several. */
export function checkQuery({ query = "", sourceFile: file, transaction }: ScriptText): CheckFailure[] {
  const script = readSqlFile(query);
  return [...checkScriptText("query", script, file), ...checkStandsAlone(query, script, transaction, file)];
}

const OF_KIND = {
  rows: problems.forPsql,
  command: problems.forPsql,
  transaction: problems.unpaired,
  mixed: problems.notBeside,
  open: problems.neverClosed,
};

/** What keeps SQL from being run at all. */
export function checkScriptText(path: string, { fault }: SqlFile, file?: string): CheckFailure[] {
  if (fault === undefined) return [];
  const { kind, line, words: statement } = fault;
  return [{ path, reason: OF_KIND[kind].message({ place: placeOf(file, line), statement }) }];
}

function placeOf(file: string | undefined, line: number): string {
  return file === undefined ? `line ${line}` : `${file}, line ${line},`;
}

/** One statement that runs in no transaction. */
function checkStandsAlone(
  query: string,
  { alone }: SqlFile,
  transaction: boolean | undefined,
  file: string | undefined,
): CheckFailure[] {
  if (alone === undefined || transaction === false) return [];
  const place = placeOf(file, lineAt(query, alone.first));
  return [
    {
      path: "query",
      reason: problems.standsAlone.message({ place, statement: shortenStatement(alone.words) }),
    },
  ];
}

/** Why what undoes it cannot be run. */
export function checkUndo(onDelete: string | undefined): CheckFailure[] {
  if (onDelete === undefined) return [];
  const undoing = readSqlFile(onDelete);
  const own = undoing.alone?.words ?? (undoing.transactions.length > 1 ? "begin" : undefined);
  const failures = checkScriptText("onDelete", undoing);
  if (own !== undefined)
    failures.push({
      path: "onDelete",
      reason: problems.undoStandsAlone.message({ statement: shortenStatement(own) }),
    });
  return failures;
}
