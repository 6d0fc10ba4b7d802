import { isRefusal } from "../client/errors/errors";
import {
  databaseRecords,
  removing,
  type PlacedTable,
  type RecordTable,
  type Row,
} from "../resources/database/shared/database-records";
import { SCRIPTS } from "../resources/database/shared/history-place";
import { whenReady } from "../waiting/project-health";
import { literal } from "../resources/database/shared/sql-text";
import type { Context } from "../define/context";
import { scriptProblems } from "./script-problems";

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
  /** Tells it from another run of a script of this name. */
  readonly run: string;
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

/** The same, once the database can be asked. */
export function readyRecordOf(ctx: Context, script: Omit<ScriptRun, "run">): Promise<Recorded | undefined> {
  return whenReady(ctx, script.ref, ["db"], () => recordOf(ctx, script));
}

/** Whether the database has no record of a run any more; one of a project that is paused tells nothing. */
export async function isForgotten(
  ctx: Context,
  { run, ...script }: Omit<ScriptRun, "run"> & { readonly run: string | undefined },
): Promise<boolean> {
  try {
    const recorded = await recordOf(ctx, script);
    return recorded === undefined || (run !== undefined && run !== recorded.run);
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Records a run as done that is said to be. */
export async function recordAsDone(ctx: Context, run: ScriptRun): Promise<void> {
  const text = (table: PlacedTable): string =>
    `${table.preparing} ${inserting(table, run, "now()")} on conflict (name) do update set finished_at = now()`;
  const isDone = (rows: readonly Row[]): boolean =>
    rows.some((row) => row["name"] === run.name && row["finished_at"] !== null);
  await databaseRecords(ctx, run.ref, TABLE).change(text, isDone);
}

/** Whether that very run is recorded. */
export function has({ name, run }: ScriptRun): (rows: readonly Row[]) => boolean {
  return (rows) => rows.some((row) => row["name"] === name && row["run"] === run);
}

/** SQL on one line that records a run. */
export function inserting(
  table: PlacedTable,
  { name, run }: ScriptRun,
  finishedAt: "now()" | "null",
): string {
  return `insert into ${table.name} (name, run, finished_at) values (${literal(name)}, ${literal(run)}, ${finishedAt})`;
}

/** SQL on one line that removes the record of a run. */
export function removingRun(table: PlacedTable, { name, run }: ScriptRun): string {
  return removing(table, { name, run });
}
