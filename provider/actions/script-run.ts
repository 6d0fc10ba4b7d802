import { isAmbiguous, type ApiError } from "../client/errors";
import { defineProblem } from "../client/problem";
import { restated, serviceSays } from "../client/restated";
import {
  databaseRecords,
  isRefusal,
  literal,
  nameOfTable,
  orClosed,
  placeOf,
  preparing,
  removing,
  type RecordTable,
  type Row,
} from "../converge/database-records";
import { whenReady } from "../converge/project-health";
import type { Context } from "../define/context";

export const scriptProblems = {
  standsAlone: defineProblem({
    says: "it cannot run in one transaction with its record, because of `{statement}`: {remedy}",
    means:
      "A script begins or ends a transaction, or has a statement that Postgres runs in none, as `create index concurrently`.",
    remedy: "Set `transaction: false`, or take the statement out",
  }),
  undoStandsAlone: defineProblem({
    says: "it cannot run in one transaction with the removal of its record, because of `{statement}`: {remedy}",
    means: "`onDelete` begins or ends a transaction, or has a statement that Postgres runs in none.",
    remedy: "Take the statement out",
  }),
  nothingToRecord: defineProblem({
    says: "a script that only reads leaves nothing: {remedy}",
    means: "`onDelete` or `transaction` is given with `readOnly`.",
    remedy: "Take it out, or `readOnly`",
  }),
  failed: defineProblem({
    says: "The script{place} failed on {ref}: {left}{answer}. {remedy}.",
    means: "The database refused the script.",
    remedy: "Correct it and run again",
  }),
  undoFailed: defineProblem({
    says: "`onDelete`{place} failed on {ref}, so nothing of it was done{answer}. {remedy}.",
    means: "The database refused what was to be run on deletion. The resource stays in the state.",
    remedy: "Correct it with an `up` that keeps the resource, and delete again",
  }),
  unknown: defineProblem({
    says: "Whether the script was run on {ref} is not known: it was sent outside of a transaction and had no answer, or the run that sent it was killed. It is not sent again by itself. {remedy}.",
    means: "With `transaction: false` nothing in the database shows that a script was done.",
    remedy:
      'Look at the database. If it was done, add `adoptId: "{name}"` to the resource; if not, change `triggers`. Then run again',
  }),
  resultLost: defineProblem({
    says: "the script was run on {ref} once, but its answer was lost: it has no `result`. {remedy}.",
    means: "A warning: the record says that the script was done, and nothing says what it returned.",
    remedy: "Where the result is needed, read it by another query",
  }),
  otherRun: defineProblem({
    says: "A script named {name} was run on {ref} by others meanwhile; nothing was done. {remedy}.",
    means: "The database records a run of a script of this name that another program made.",
    remedy: "Give the script another name",
  }),
  otherName: defineProblem({
    says: "it has to be the script's name, {name}: {remedy}",
    means: "`adoptId` names another script.",
    remedy: "Correct it, or take it out",
  }),
  closed: defineProblem({
    says: "The service refuses the query endpoint of {ref}{answer}. {remedy}.",
    means: "403: the token lacks a permission.",
    remedy: "Use a token with the permissions `database_read` and `database_write`",
  }),
};

const TABLE: RecordTable = {
  name: "script_runs",
  columns:
    "name text primary key, run text not null, started_at timestamptz not null default now(), finished_at timestamptz",
  selected: "name, run, to_json(finished_at) #>> '{}' as finished_at",
  key: "name",
  closed: (ref, answer) => scriptProblems.closed.message({ ref, answer }),
};

const NOTHING_DONE = "nothing of it was done";
const MAYBE_IN_PART = "statements before the one that failed may have been done";

/** A run of a script, which is to happen once. */
export interface ScriptRun {
  readonly ref: string;
  /** Of the script. */
  readonly name: string;
  /** Tells it from another run of a script of this name. */
  readonly run: string;
}

/** A script with the run of it. */
export interface Script extends ScriptRun {
  readonly query: string;
}

/** What the database records of the latest run of a script. */
export interface Recorded {
  readonly run: string;
  /** ISO 8601; undefined where it was begun, and nothing says whether it was done. */
  readonly finishedAt: string | undefined;
}

export async function recordOf(
  ctx: Context,
  { ref, name }: Omit<ScriptRun, "run">,
): Promise<Recorded | undefined> {
  const row = (await databaseRecords(ctx, ref, TABLE).list()).find((each) => each["name"] === name);
  if (row === undefined) return undefined;
  const { run, finished_at: finishedAt } = row;
  const isFinished = typeof finishedAt === "string";
  return { run: String(run), finishedAt: isFinished ? new Date(finishedAt).toISOString() : undefined };
}

/**
 * Runs it once: in one transaction with its record, whose key lets nobody run it again, unless the program wants none.
 * Returns its rows, or undefined where the answer was lost.
 */
export async function runOnce(
  ctx: Context,
  script: Script,
  isTransaction = true,
): Promise<Row[] | undefined> {
  if (!isTransaction) return runAlone(ctx, script);
  const { ref, query } = script;
  const text = `${preparing(TABLE)} ${inserted(script, "now()")}; ${query}`;
  try {
    return await databaseRecords(ctx, ref, TABLE).change(text, has(script));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if ((await recordOf(ctx, script)) !== undefined) throw new Error(scriptProblems.otherRun.message(script));
    throw failed(error, ref, NOTHING_DONE);
  }
}

/** Between two writes of its record: where the script has no answer, nobody knows whether it was done. */
async function runAlone(ctx: Context, script: Script): Promise<Row[]> {
  const { ref, query } = script;
  const records = databaseRecords(ctx, ref, TABLE);
  await records.change(`${preparing(TABLE)} ${inserted(script, "null")}`, has(script));
  let rows: Row[];
  try {
    rows = await allowed(
      ref,
      whenReady(ctx, ref, ["db"], () => ctx.api.runQuery({ ref, body: { query } })),
    );
  } catch (error) {
    if (isAmbiguous(error)) throw error;
    await records.change(removed(script), (all) => !has(script)(all));
    throw isRefusal(error) ? failed(error, ref, MAYBE_IN_PART) : error;
  }
  await recordAsDone(ctx, script);
  return rows;
}

/** Records a run as done that is said to be. */
export async function recordAsDone(ctx: Context, run: ScriptRun): Promise<void> {
  const text = `${preparing(TABLE)} ${inserted(run, "now()")} on conflict (name) do update set finished_at = now()`;
  const isDone = (rows: readonly Row[]): boolean =>
    rows.some((row) => row["name"] === run.name && row["finished_at"] !== null);
  await databaseRecords(ctx, run.ref, TABLE).change(text, isDone);
}

export async function runReadOnly(
  ctx: Context,
  { ref, query }: Pick<Script, "ref" | "query">,
): Promise<Row[]> {
  const answer = whenReady(ctx, ref, ["db"], () => ctx.api.runReadOnlyQuery({ ref, body: { query } }));
  try {
    return await allowed(ref, answer);
  } catch (error) {
    throw isRefusal(error) ? failed(error, ref, NOTHING_DONE) : error;
  }
}

/** Removes the record in one transaction with what undoes the script: once, and only where that very run is recorded. */
export async function undo(
  ctx: Context,
  script: ScriptRun & { readonly query: string | undefined },
): Promise<void> {
  const { ref, query = "" } = script;
  if ((await recordOf(ctx, script))?.run !== script.run) return;
  try {
    await databaseRecords(ctx, ref, TABLE).change(
      `${removed(script)} ${query}`,
      (rows) => !has(script)(rows),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [place, answer] = [placeOf(error), serviceSays(error)];
    throw restated(error, scriptProblems.undoFailed.message({ place, ref, answer }));
  }
}

function has({ name, run }: ScriptRun): (rows: readonly Row[]) => boolean {
  return (rows) => rows.some((row) => row["name"] === name && row["run"] === run);
}

function inserted({ name, run }: ScriptRun, finishedAt: "now()" | "null"): string {
  return `insert into ${nameOfTable(TABLE)} (name, run, finished_at) values (${literal(name)}, ${literal(run)}, ${finishedAt})`;
}

function removed({ name, run }: ScriptRun): string {
  return removing(TABLE, { name, run });
}

function allowed<T>(ref: string, answer: Promise<T>): Promise<T> {
  return orClosed(answer, (says) => TABLE.closed(ref, says));
}

function failed(error: ApiError, ref: string, left: string): ApiError {
  const [place, answer] = [placeOf(error), serviceSays(error)];
  return restated(error, scriptProblems.failed.message({ place, ref, left, answer }));
}
