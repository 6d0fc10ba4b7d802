import { isAmbiguous, isRefusal, type ApiError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import {
  formatAdvisoryLock,
  asBefore,
  createDatabaseRecords,
  locateScriptError,
  rememberRole,
  unansweredProblems,
  type PlacedTable,
  type DatabaseRecords,
  type RecordTable,
  type DatabaseRow,
} from "../../../resources/database/shared/database-records";
import { sendAlone } from "../../../resources/database/shared/non-transactional-migration";
import { describeSql, hasLock, type SentSql } from "../../../resources/database/shared/unanswered-sql";
import { SCRIPTS } from "../../../resources/database/shared/history-place";
import { scriptFormProblems } from "../../../resources/database/shared/script-failures";
import { formatDoBlock, quoteLiteral } from "../../../resources/database/shared/sql";
import { readSqlFile } from "../../../resources/database/shared/sql-file";
import { callWhenReady } from "../../../waiting/project-health";

/** What can go wrong where a script is run. */
export const scriptProblems = {
  ...scriptFormProblems,
  ...unansweredProblems,
  nothingToRecord: defineProblem({
    says: "cannot be combined with `readOnly`: {remedy}",
    means: "`onDelete` or `transaction` is declared with `readOnly`.",
    remedy: "Remove one of the two",
  }),
  failed: defineProblem({
    says: "The script{file}{place} failed on {ref}: {left}{answer}. {remedy}.",
    means: "The database rejected the script.",
    remedy: "Correct it and run again",
  }),
  undoFailed: defineProblem({
    says: "`onDelete`{place} failed on {ref} and was rolled back{answer}. {remedy}.",
    means: "The database rejected `onDelete`. The resource stays in the state.",
    remedy:
      "Correct `onDelete` alone and run `pulumi up` with the resource and its former `query` in the program. Then delete or change it again",
  }),
  undoneByDeclared: defineProblem({
    says: "`onDelete` changes together with the script: the declared `onDelete` undoes the former run, not the one that was declared with it. {remedy}.",
    means: "Warning. The next run is preceded by the declared `onDelete`.",
    remedy:
      "To undo the former run as declared before, change the script first and `onDelete` in a later update",
  }),
  unknown: defineProblem({
    says: "Whether the script has run on {ref} is unknown: it runs outside a transaction, and it had no answer or its run was killed. The provider does not repeat it. {remedy}.",
    means: "With `transaction: false`, the database does not show whether a script has run.",
    remedy:
      'Check the database. If the script has run, add `adoptId: "{name}"` to the resource. If not, change `triggers`. Then run again',
  }),
  resultLost: defineProblem({
    says: "the script has run on {ref}, but its answer was lost. `result` is missing. {remedy}.",
    means: "Warning. The database records that the script has run, but not what it returned.",
    remedy: "If you need the result, read it with another query",
  }),
  otherRun: defineProblem({
    says: "Another program has run a script named {name} on {ref}. Nothing was done. {remedy}.",
    means: "The database records that another program has run a script of this name.",
    remedy: "Rename the script",
  }),
  otherQuery: defineProblem({
    says: "The database of {ref} records a run named {name} of another query, or of a script without `adopt`. Nothing was done. {remedy}.",
    means: "`adopt` takes over a recorded run only if its query and `triggers` equal the declared ones.",
    remedy: 'Rename the script to run it, or accept the recorded run with `adoptId: "{name}"`',
  }),
  otherName: defineProblem({
    says: "must be the script's name, {name}: {remedy}",
    means: "`adoptId` is not the name of this script.",
    remedy: "Correct or remove it",
  }),
  closed: defineProblem({
    says: "The service denied access to the query endpoint of {ref}{answer}. {remedy}.",
    means: "The service answered 403: the token lacks a permission.",
    remedy: "Use a token with the permissions `database_read` and `database_write`",
  }),
};

export const TABLE: RecordTable = {
  name: SCRIPTS,
  columns:
    "name text primary key, run text not null, started_at timestamptz not null default now(), finished_at timestamptz, transaction_id xid8 not null default pg_catalog.pg_current_xact_id()",
  selected: "name, run, to_json(finished_at) #>> '{}' as finished_at",
  key: "name",
  closed: (ref, answer) => scriptProblems.closed.message({ ref, answer }),
};

/** A run of a script, which is to happen once. */
export interface ScriptRun {
  readonly ref: string;
  /** Of the script. */
  readonly name: string;
  /** Distinguishes it from another run of a script of this name. */
  readonly run: string;
  /** Its file, for messages. */
  readonly label?: string | undefined;
}

/** What the database records of the latest run of a script. */
export interface ScriptRunRecord {
  readonly run: string;
  /** ISO 8601; undefined where it was begun, and nothing says whether it was done. */
  readonly finishedAt: string | undefined;
}

async function findRecord(
  ctx: Context,
  { ref, name }: Omit<ScriptRun, "run">,
): Promise<ScriptRunRecord | undefined> {
  const row = (await createDatabaseRecords(ctx, ref, TABLE).list()).find((each) => each["name"] === name);
  if (row === undefined) return undefined;
  const { run, finished_at: finishedAt } = row;
  const isFinished = typeof finishedAt === "string";
  return { run: String(run), finishedAt: isFinished ? new Date(finishedAt).toISOString() : undefined };
}

/** The same, once the database can be asked. */
export function findRecordWhenReady(
  ctx: Context,
  script: Omit<ScriptRun, "run">,
): Promise<ScriptRunRecord | undefined> {
  return callWhenReady(ctx, script.ref, ["db"], () => findRecord(ctx, script));
}

/** Whether the database has no record of a run any more; one of a project that is paused shows nothing. */
export async function isForgotten(
  ctx: Context,
  { run, ...script }: Omit<ScriptRun, "run"> & { readonly run: string | undefined },
): Promise<boolean> {
  try {
    const recorded = await findRecord(ctx, script);
    return recorded === undefined || (run !== undefined && run !== recorded.run);
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Records a run as done that is said to be. */
export async function recordAsDone(ctx: Context, run: ScriptRun): Promise<void> {
  const text = (table: PlacedTable): string =>
    `${table.preparing} ${formatInsert(table, run, "now()")} on conflict (name) do update set finished_at = now()`;
  const isDone = (rows: readonly DatabaseRow[]): boolean =>
    rows.some((row) => row["name"] === run.name && row["finished_at"] !== null);
  await createDatabaseRecords(ctx, run.ref, TABLE).change(text, isDone);
}

/** Whether that very run is recorded. */
function createRunTest({ name, run }: ScriptRun): (rows: readonly DatabaseRow[]) => boolean {
  return (rows) => rows.some((row) => row["name"] === name && row["run"] === run);
}

/** SQL on one line that records a run. */
function formatInsert(table: PlacedTable, { name, run }: ScriptRun, finishedAt: "now()" | "null"): string {
  return `insert into ${table.name} (name, run, finished_at) values (${quoteLiteral(name)}, ${quoteLiteral(run)}, ${finishedAt})`;
}

/** SQL on one line that removes the record of a run. */
function formatDelete(table: PlacedTable, run: ScriptRun): string {
  return `delete from ${table.name} where ${formatRunCondition(run)};`;
}

/** SQL that holds for the record of this very run. */
function formatRunCondition({ name, run }: ScriptRun): string {
  return `name = ${quoteLiteral(name)} and run = ${quoteLiteral(run)}`;
}

/** One transaction: the lock and a look, which write nothing, the script on the second line, then the record. */
function composeScript({ name }: ScriptRun, look: string, script: string, writes: string): string {
  const lock = `perform ${formatAdvisoryLock(lockOf(name))};`;
  return `${rememberRole} ${formatDoBlock(`${lock} ${look}`)}\n${script}\n;${asBefore} ${writes}`;
}

function lockOf(name: string): string {
  return `management.scripts.${name}`;
}

function describeSentScript({ look }: DatabaseRecords, { name, label }: ScriptRun, query: string): SentSql {
  const what = describeSql(label ?? `the script ${name}`, query);
  return { what, isRunning: () => hasLock(look, lockOf(name)) };
}

const NOTHING_DONE = "it was rolled back";
const MAYBE_IN_PART = "statements before the failed one may have been executed";

/** A script with the run of it. */
export interface ScriptRunRequest extends ScriptRun {
  readonly query: string;
}

/**
 * Runs it once: in one transaction with its record, whose key lets nobody run it again, unless the program wants none.
 * Returns its rows, or undefined where the answer was lost.
 */
export async function runOnce(
  ctx: Context,
  script: ScriptRunRequest,
  isTransaction = true,
): Promise<DatabaseRow[] | undefined> {
  const { ref, query } = script;
  const { transactions } = readSqlFile(query);
  if (!isTransaction || transactions.length > 1) return runOutside(ctx, script, transactions);
  const records = createDatabaseRecords(ctx, ref, TABLE);
  try {
    return await records.change(
      (table) =>
        composeScript(
          script,
          formatNoRunCheck(table, script),
          transactions[0],
          `${table.preparing} ${formatInsert(table, script, "now()")};`,
        ),
      createRunTest(script),
      describeSentScript(records, script, query),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if ((await findRecord(ctx, script)) !== undefined)
      throw replaceMessage(error, scriptProblems.otherRun.message(script));
    throw createScriptError(error, script, NOTHING_DONE, 1);
  }
}

function formatNoRunCheck({ name: table }: PlacedTable, { name }: ScriptRun): string {
  const isRecorded = `exists (select from ${table} r where r.name = ${quoteLiteral(name)})`;
  const refuses = "raise unique_violation using message = 'another run has recorded it'; ";
  return `if pg_catalog.to_regclass(${quoteLiteral(table)}) is not null then if ${isRecorded} then ${refuses}end if; end if;`;
}

function formatRunCheck({ name: table }: PlacedTable, run: ScriptRun): string {
  const message = quoteLiteral(`${run.name} is not in ${table}`);
  return `if not exists (select from ${table} where ${formatRunCondition(run)}) then raise exception using message = ${message}; end if;`;
}

/** Between two writes of its record: where the script has no answer, it is not known whether it was done. */
async function runOutside(
  ctx: Context,
  script: ScriptRunRequest,
  texts: readonly string[],
): Promise<DatabaseRow[]> {
  const records = createDatabaseRecords(ctx, script.ref, TABLE);
  const what = describeSql(script.label ?? `the script ${script.name}`, script.query);
  await records.change(
    (table) => `${table.preparing} ${formatInsert(table, script, "null")}`,
    createRunTest(script),
  );
  let rows: DatabaseRow[] = [];
  try {
    for (const text of texts) {
      const found = await sendAlone(ctx, records, { what, text });
      if (found.length > 0) rows = found;
    }
  } catch (error) {
    if (isAmbiguous(error)) throw error;
    await records.change(
      (table) => formatDelete(table, script),
      (all) => !createRunTest(script)(all),
    );
    throw isRefusal(error) ? createScriptError(error, script, MAYBE_IN_PART) : error;
  }
  await recordAsDone(ctx, script);
  return rows;
}

export async function runReadOnly(
  ctx: Context,
  { ref, query, label }: Pick<ScriptRunRequest, "ref" | "query" | "label">,
): Promise<DatabaseRow[]> {
  if (readSqlFile(query).isEmpty) return [];
  const records = createDatabaseRecords(ctx, ref, TABLE);
  try {
    return await callWhenReady(ctx, ref, ["db"], () => records.look(query));
  } catch (error) {
    throw isRefusal(error) ? createScriptError(error, { ref, query, label }, NOTHING_DONE) : error;
  }
}

/** Removes the record in one transaction with what undoes the script: once, and only where that very run is recorded. */
export async function undoScript(
  ctx: Context,
  script: ScriptRun & { readonly query: string | undefined },
): Promise<void> {
  const { ref, query = "" } = script;
  if ((await findRecordWhenReady(ctx, script))?.run !== script.run) return;
  const records = createDatabaseRecords(ctx, ref, TABLE);
  try {
    await records.change(
      (table) =>
        composeScript(
          script,
          formatRunCheck(table, script),
          readSqlFile(query).transactions[0],
          formatDelete(table, script),
        ),
      (rows) => !createRunTest(script)(rows),
      describeSentScript(records, script, query),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw replaceMessage(
      error,
      scriptProblems.undoFailed.message({ ...locateScriptError(error, query, 1), ref }),
    );
  }
}

function createScriptError(
  error: ApiError,
  { ref, query, label }: Pick<ScriptRunRequest, "ref" | "query" | "label">,
  left: string,
  before = 0,
): ApiError {
  const located = locateScriptError(error, query, before);
  return replaceMessage(
    error,
    scriptProblems.failed.message({ file: label === undefined ? "" : ` ${label}`, ...located, ref, left }),
  );
}
