import type { MigrationEntry } from "./migration-entries";
import { compareVersions, isSame, type Migration } from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";

/** What a program wants of its migrations. */
export interface WantedMigrations {
  readonly ref: string;
  /** Every migration of the program, by version. */
  readonly all: readonly Migration[];
  /** Those with later versions are taken back. */
  readonly until: string | undefined;
  /** Whether it has all migrations of the database: none comes before one that was applied, and others' are strange. */
  readonly isWhole: boolean;
}

export function isWanted(
  { until }: Pick<WantedMigrations, "until">,
  { version }: { version: string },
): boolean {
  return until === undefined || compareVersions(version, until) <= 0;
}

/** What is to be taken back, newest first. */
export function toTakeBack(wanted: WantedMigrations, applied: readonly MigrationEntry[]): Migration[] {
  return wanted.all
    .filter((one) => !isWanted(wanted, one) && applied.some((entry) => isSame(entry, one)))
    .toReversed();
}

export function toApply(wanted: WantedMigrations, applied: readonly MigrationEntry[]): Migration[] {
  return wanted.all.filter((one) => isWanted(wanted, one) && !applied.some((entry) => isSame(entry, one)));
}

/** Why the program's migrations do not go with what was applied: each names what to do. */
export function refusals(wanted: WantedMigrations, applied: readonly MigrationEntry[]): string[] {
  const { ref, all, isWhole } = wanted;
  const faults = applied.flatMap((entry) => faultOf(wanted, entry));
  const ofOurs = applied.filter((entry) => all.some((one) => isSame(one, entry)));
  const latest = ofOurs.toSorted((left, right) => compareVersions(left.version, right.version)).at(-1);
  for (const { version, label: file } of isWhole ? toApply(wanted, applied) : []) {
    if (latest === undefined || compareVersions(version, latest.version) > 0) continue;
    faults.push(problems.slippedIn.message({ file, ref, latest: nameOf(latest) }));
  }
  for (const { label: file, rollback } of toTakeBack(wanted, applied)) {
    if (rollback === undefined) faults.push(problems.noRollback.message({ file, ref }));
  }
  return faults;
}

function faultOf({ ref, all }: WantedMigrations, entry: MigrationEntry): string[] {
  const { name, sha256 } = entry;
  const migration = all.find((one) => isSame(one, entry));
  if (migration === undefined) {
    // What others applied, this program never had.
    return sha256 === undefined ? [] : [problems.removed.message({ file: nameOf(entry), ref })];
  }
  const { label: file } = migration;
  if (name !== undefined && name !== migration.name) return [problems.renamed.message({ file, ref, name })];
  if (sha256 !== undefined && sha256 !== migration.sha256) return [problems.changed.message({ file, ref })];
  return [];
}

export function nameOf({ version, name }: Pick<MigrationEntry, "version" | "name">): string {
  return name === undefined ? version : `${version}_${name}`;
}
