import type { HistoryFindings } from "./migration-entries";
import {
  compareFiles,
  formatMigration,
  type AppliedMigration,
  type Migration,
  type MigrationVia,
} from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";
import { isRepeatable, lineAt, shortenStatement } from "./sql";
import { readSqlFile, type ScriptFault } from "./sql-file";

/** What a program wants of its migrations. */
export interface DeclaredMigrations {
  readonly ref: string;
  /** Every migration of the program, in the order of the files. */
  readonly all: readonly Migration[];
  /** The version of the last that is to be applied; those after it are taken back. */
  readonly until: string | undefined;
  /** Whether it has all migrations of the database: none comes before one that was applied, and others' are strange. */
  readonly isWhole: boolean;
  /** Versions of those that count as applied whatever the history says of them, where it says anything. */
  readonly accept: readonly string[];
  /** Whether one that comes before an applied one is applied late. */
  readonly outOfOrder: boolean;
}

export function isDeclared(
  { until, all }: Pick<DeclaredMigrations, "until" | "all">,
  one: Pick<Migration, "version" | "name">,
): boolean {
  if (until === undefined) return true;
  const last = all.find(({ version }) => version === until);
  return last !== undefined && compareFiles(one, last) <= 0;
}

function isApplied({ rows }: Pick<HistoryFindings, "rows">, { version }: Migration): boolean {
  return rows.has(version);
}

/** What is to be taken back, newest first. */
export function listToTakeBack(
  wanted: DeclaredMigrations,
  { rows }: Pick<HistoryFindings, "rows">,
): AppliedMigration[] {
  return wanted.all
    .flatMap((migration) => {
      const own = rows.get(migration.version);
      return own === undefined || isDeclared(wanted, migration) ? [] : { migration, rows: own };
    })
    .toReversed();
}

export function listToApply(wanted: DeclaredMigrations, seen: Pick<HistoryFindings, "rows">): Migration[] {
  return wanted.all.filter((one) => isDeclared(wanted, one) && !isApplied(seen, one));
}

/** Why the program's migrations do not go with what the history says: each names what to do. Only what is pending is judged for its form. */
export function listRefusals(wanted: DeclaredMigrations, seen: HistoryFindings): string[] {
  const { ref, all, isWhole, outOfOrder } = wanted;
  const faults = all.flatMap((one) => findAppliedFault(wanted, seen, one));
  const pending = listToApply(wanted, seen);
  const latest = all.findLast((one) => isApplied(seen, one));
  for (const migration of pending) {
    const { label: file, version } = migration;
    const doubted = seen.doubted.find((one) => one.file === migration);
    if (doubted !== undefined) {
      // What a state does not know is looked at before anything is applied.
      if (doubted.doubt === "unseen") continue;
      const { row } = doubted;
      const why = OF_DOUBT[doubted.doubt];
      const [rowVersion, name] = [row.version, row.name ?? ""];
      const rename = FILE_VERSION.test(rowVersion) ? `give the file the version ${rowVersion}, or ` : "";
      faults.push(problems.otherVersion.message({ file, version, ref, rowVersion, name, why, rename }));
      continue;
    }
    if (isWhole && !outOfOrder && latest !== undefined && compareFiles(migration, latest) < 0)
      faults.push(problems.slippedIn.message({ file, ref, latest: formatMigration(latest) }));
    faults.push(...(formatFault(file, migration.query) ?? []));
  }
  for (const { migration } of listToTakeBack(wanted, seen)) {
    if (migration.rollback === undefined)
      faults.push(problems.noRollback.message({ file: migration.label, ref }));
  }
  return faults;
}

/** A version that the name of a file can have. */
const FILE_VERSION = /^\d+$/;

const OF_DOUBT = {
  content: "with other content",
  order: "with the same content, but under a version that cannot be the file's",
};

function findAppliedFault(
  { ref, accept }: DeclaredMigrations,
  seen: HistoryFindings,
  migration: Migration,
): string[] {
  const { version, label: file } = migration;
  // Others split and name in ways of their own: a warning tells of them.
  if (accept.includes(version) || seen.ofOthers.includes(version)) return [];
  const entry = seen.migrations.find((one) => one.version === version);
  if (entry === undefined) return [];
  const { name, sha256 } = entry;
  if (name !== undefined && name !== migration.name)
    return [problems.renamed.message({ file, ref, name, version })];
  return sha256 === migration.sha256 ? [] : [problems.changed.message({ file, ref, version })];
}

/** Why a rollback cannot be run as it is, with its line. */
export function checkRollback(
  { label, rollback, rollbackLabel = label }: Pick<Migration, "label" | "rollback" | "rollbackLabel">,
  via: MigrationVia,
): string[] {
  if (rollback === undefined) return [];
  const fault = formatFault(rollbackLabel, rollback);
  if (fault !== undefined) return fault;
  const { alone, transactions } = readSqlFile(rollback);
  if (transactions.length > 1) return [problems.rollbackInParts.message({ file: rollbackLabel })];
  if (alone === undefined) return [];
  const line = String(lineAt(rollback, alone.first));
  const told = { file: rollbackLabel, line, statement: shortenStatement(alone.words) };
  if (via === "migrations") return [problems.rollbackByEndpoint.message(told)];
  return isRepeatable(alone) ? [] : [problems.rollbackAlone.message(told)];
}

const OF_KIND: Record<ScriptFault["kind"], typeof problems.rowsForPsql> = {
  rows: problems.rowsForPsql,
  command: problems.psqlCommand,
  transaction: problems.ownTransaction,
  mixed: problems.standsAlone,
  open: problems.neverClosed,
};

/** Why SQL cannot be run as it is, with its line. */
export function formatFault(file: string, query: string): string[] | undefined {
  const { fault } = readSqlFile(query);
  if (fault === undefined) return undefined;
  const { kind, line, words } = fault;
  return [OF_KIND[kind].message({ file, line: String(line), statement: words })];
}
