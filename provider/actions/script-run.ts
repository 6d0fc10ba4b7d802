import { isAmbiguous, isRefusal, type ApiError } from "../client/errors/errors";
import { restated } from "../client/errors/restated";
import { databaseRecords, toldOf, type Row } from "../resources/database/shared/database-records";
import { whenReady } from "../waiting/project-health";
import type { Context } from "../define/context";
import { scriptProblems } from "./script-problems";
import {
  has,
  inserting,
  readyRecordOf,
  recordAsDone,
  recordOf,
  removingRun,
  TABLE,
  type ScriptRun,
} from "./script-records";

const NOTHING_DONE = "nothing of it was done";
const MAYBE_IN_PART = "statements before the one that failed may have been done";

/** A script with the run of it. */
export interface Script extends ScriptRun {
  readonly query: string;
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
  try {
    return await databaseRecords(ctx, ref, TABLE).change(
      (table) => `${table.preparing} ${inserting(table, script, "now()")};\n${query}`,
      has(script),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if ((await recordOf(ctx, script)) !== undefined)
      throw restated(error, scriptProblems.otherRun.message(script));
    throw failed(error, script, NOTHING_DONE, 1);
  }
}

/** Between two writes of its record: where the script has no answer, nobody knows whether it was done. */
async function runAlone(ctx: Context, script: Script): Promise<Row[]> {
  const { ref, query } = script;
  const records = databaseRecords(ctx, ref, TABLE);
  await records.change((table) => `${table.preparing} ${inserting(table, script, "null")}`, has(script));
  let rows: Row[];
  try {
    rows = await records.sendOnce(query);
  } catch (error) {
    if (isAmbiguous(error)) throw error;
    await records.change(
      (table) => removingRun(table, script),
      (all) => !has(script)(all),
    );
    throw isRefusal(error) ? failed(error, script, MAYBE_IN_PART) : error;
  }
  await recordAsDone(ctx, script);
  return rows;
}

export async function runReadOnly(
  ctx: Context,
  { ref, query }: Pick<Script, "ref" | "query">,
): Promise<Row[]> {
  const records = databaseRecords(ctx, ref, TABLE);
  try {
    return await whenReady(ctx, ref, ["db"], () => records.look(query));
  } catch (error) {
    throw isRefusal(error) ? failed(error, { ref, query }, NOTHING_DONE) : error;
  }
}

/** Removes the record in one transaction with what undoes the script: once, and only where that very run is recorded. */
export async function undo(
  ctx: Context,
  script: ScriptRun & { readonly query: string | undefined },
): Promise<void> {
  const { ref, query = "" } = script;
  if ((await readyRecordOf(ctx, script))?.run !== script.run) return;
  try {
    await databaseRecords(ctx, ref, TABLE).change(
      (table) => `${removingRun(table, script)}\n${query}`,
      (rows) => !has(script)(rows),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw restated(error, scriptProblems.undoFailed.message({ ...toldOf(error, query, 1), ref }));
  }
}

function failed(
  error: ApiError,
  { ref, query }: Pick<Script, "ref" | "query">,
  left: string,
  before = 0,
): ApiError {
  return restated(error, scriptProblems.failed.message({ ...toldOf(error, query, before), ref, left }));
}
