import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, READ_TIMEOUT_SECONDS, type Runtime } from "../provider/engine/step/runtime";
import type { HistoryRow } from "../provider/resources/database/shared/migration-history";
import {
  joinStatements,
  createQueryHistory,
  readStatements,
} from "../provider/resources/database/shared/migration-history-by-query";

const FOLDER = "migrations";
/** What a file name can have on every system. */
const SAFE_NAME = /^[^/\\:*?"<>|\p{C}\p{Zl}\p{Zp}]{1,200}$/u;

export interface AppliedMigrations {
  /** Where they are, relative to the program's folder; undefined where the database has none. */
  readonly folder?: string;
  readonly notes: readonly string[];
}

/**
 * Writes the migrations of a project's history into the program's folder, each as the file that it was applied from or
 * one that says the same. A folder that is there stays as it is, and is the one that the program uses.
 */
export async function readAppliedMigrations(
  runtime: Runtime,
  ref: string,
  programFolder: string,
): Promise<AppliedMigrations> {
  const target = join(programFolder, FOLDER);
  if (existsSync(target)) return { folder: FOLDER, notes: [] };
  const ctx = createContext(runtime, { label: "migrations", seconds: READ_TIMEOUT_SECONDS });
  let rows: readonly HistoryRow[];
  let statements: ReadonlyMap<string, string[]>;
  try {
    rows = await createQueryHistory(ctx, ref).list();
    statements = rows.length === 0 ? new Map() : await readStatements(ctx, ref);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { notes: [`The migrations are not in the program, because they could not be read: ${why}`] };
  }
  const files = new Map<string, string>();
  const notes: string[] = [];
  for (const { version, name = "migration" } of rows) {
    const sql = joinStatements(statements.get(version));
    if (!/^\d+$/.test(version) || !SAFE_NAME.test(name) || name.endsWith(".down")) {
      notes.push(`The migration ${version} (${name}) has no name of a file, so it is not in the program.`);
    } else if (sql === undefined) {
      notes.push(`The history has no SQL of the migration ${version}_${name}, so it is not in the program.`);
    } else files.set(`${version}_${name}.sql`, `${sql}\n`);
  }
  if (files.size === 0) return { notes };
  mkdirSync(target);
  for (const [name, text] of files) writeFileSync(join(target, name), text);
  return { folder: FOLDER, notes };
}
