import type { Known, MigrationEntry } from "./migration-entries";
import {
  compareFiles,
  countsAs,
  isSame,
  formatMigration,
  type Migration,
  type MigrationVia,
} from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";
import { findScriptFault, isRepeatable, lineAt, short, soleStatementAlone, type ScriptFault } from "./sql";

/** What a program wants of its migrations. */
export interface DeclaredMigrations {
  readonly ref: string;
  /** Every migration of the program, in the order of the files. */
  readonly all: readonly Migration[];
  /** The version of the last that is to be applied; those after it are taken back. */
  readonly until: string | undefined;
  /** Whether it has all migrations of the database: none comes before one that was applied, and others' are strange. */
  readonly isWhole: boolean;
}

export function isDeclared(
  { until, all }: Pick<DeclaredMigrations, "until" | "all">,
  one: Pick<Migration, "version" | "name">,
): boolean {
  if (until === undefined) return true;
  const last = all.find(({ version }) => version === until);
  return last !== undefined && compareFiles(one, last) <= 0;
}

/** Whether an entry is a migration's: one that others applied may be by the name that the endpoint gave it. */
function isEntryOf(
  { version, name, sha256 }: MigrationEntry,
  one: Migration,
  all: readonly Migration[],
): boolean {
  return sha256 === undefined ? countsAs({ version, name }, one, all) : version === one.version;
}

function isApplied({ all }: DeclaredMigrations, one: Migration, applied: readonly MigrationEntry[]): boolean {
  return applied.some((entry) => isEntryOf(entry, one, all));
}

/** What is to be taken back, newest first. */
export function toTakeBack(wanted: DeclaredMigrations, applied: readonly MigrationEntry[]): Migration[] {
  return wanted.all.filter((one) => !isDeclared(wanted, one) && isApplied(wanted, one, applied)).toReversed();
}

export function toApply(wanted: DeclaredMigrations, applied: readonly MigrationEntry[]): Migration[] {
  return wanted.all.filter((one) => isDeclared(wanted, one) && !isApplied(wanted, one, applied));
}

/** Why the program's migrations do not go with what was applied: each names what to do. */
export function refusals(wanted: DeclaredMigrations, { migrations: applied, ofOthers }: Known): string[] {
  const { ref, all, isWhole } = wanted;
  const faults = applied.flatMap((entry) => findFaults(wanted, entry, ofOthers.includes(entry.version)));
  const latest = all.findLast((one) => isApplied(wanted, one, applied));
  for (const migration of isWhole ? toApply(wanted, applied) : []) {
    if (latest === undefined || compareFiles(migration, latest) > 0) continue;
    faults.push(problems.slippedIn.message({ file: migration.label, ref, latest: formatMigration(latest) }));
  }
  for (const { label: file, rollback } of toTakeBack(wanted, applied)) {
    if (rollback === undefined) faults.push(problems.noRollback.message({ file, ref }));
  }
  return faults;
}

function findFaults({ ref, all }: DeclaredMigrations, entry: MigrationEntry, isOfOthers: boolean): string[] {
  const { name, sha256 } = entry;
  const migration = all.find((one) => isSame(one, entry));
  if (migration === undefined) {
    // What others applied, this program never had.
    return sha256 === undefined ? [] : [problems.removed.message({ file: formatMigration(entry), ref })];
  }
  // Others split and name in ways of their own: by them the version alone decides.
  if (isOfOthers) return [];
  const { label: file } = migration;
  if (name !== undefined && name !== migration.name) return [problems.renamed.message({ file, ref, name })];
  if (sha256 !== undefined && sha256 !== migration.sha256) return [problems.changed.message({ file, ref })];
  return [];
}

type Checked = Pick<Migration, "label" | "query" | "rollback" | "rollbackLabel">;

/** Why a migration and its rollback cannot be run as they are, each with its line. */
export function scriptFailures(
  { label, query, rollback, rollbackLabel = label }: Checked,
  via: MigrationVia,
): string[] {
  const messages = [formatFault(label, findScriptFault(query))];
  if (rollback !== undefined)
    messages.push(
      formatFault(rollbackLabel, findScriptFault(rollback)) ?? rollbackFailure(rollbackLabel, rollback, via),
    );
  return messages.flatMap((message) => message ?? []);
}

const OF_KIND = {
  rows: problems.rowsForPsql,
  command: problems.psqlCommand,
  transaction: problems.ownTransaction,
  mixed: problems.standsAlone,
};

function formatFault(file: string, fault: ScriptFault | undefined): string | undefined {
  if (fault === undefined) return undefined;
  const { kind, line, words } = fault;
  return OF_KIND[kind].message({ file, line: String(line), statement: words });
}

function rollbackFailure(file: string, rollback: string, via: MigrationVia): string | undefined {
  const statement = soleStatementAlone(rollback);
  if (statement === undefined) return undefined;
  const told = { file, line: String(lineAt(rollback, statement.first)), statement: short(statement.words) };
  if (via === "migrations") return problems.rollbackByEndpoint.message(told);
  return isRepeatable(statement) ? undefined : problems.rollbackAlone.message(told);
}
