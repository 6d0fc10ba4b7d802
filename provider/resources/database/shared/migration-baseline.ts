import { ForbiddenError, InvalidInputError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { forgetHistory } from "./history-place";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import {
  hasOwnRow,
  listOwnVersions,
  lookUpHistory,
  NOTHING_KNOWN,
  omitServiceRows,
  type HistoryFindings,
  type KnownMigrations,
} from "./migration-entries";
import type { Migration, MigrationHistory, HistoryRow } from "./migration-history";
import { findTablesOfUsers } from "./migration-history-by-query";
import { isRowOf } from "./migration-identity";
import { migrationProblems as problems } from "./migration-problems";
import { isDeclared, type DeclaredMigrations } from "./migration-rules";
import { callWhenReady } from "../../../waiting/project-health";

/** `all`, `none`, or the version of the last migration that a database without their history has. */
export const BASELINE = /^(?:\d+|all|none)$/;

/**
 * The migrations that a database has already whose history has none of them, as its baseline says: they are to be recorded and not run.
 * Throws where it was built on and nothing says which it has, and where a baseline would be without effect. `lost` are the versions of
 * those that had been applied where the history knew them once: only of these is it asked, and they are `all`.
 */
export async function findBaseline(
  ctx: Context,
  history: MigrationHistory,
  wanted: DeclaredMigrations,
  baseline: string | undefined,
  lost: readonly string[] = [],
): Promise<Migration[]> {
  const { ref, all } = wanted;
  const had = all.filter(({ version }) => lost.includes(version));
  const unclear = had.length > 0 ? had : all;
  const look = async (): Promise<{ recorded: readonly HistoryRow[]; seen: HistoryFindings }> => {
    const recorded = await callWhenReady(ctx, ref, ["db"], () => history.list());
    return { recorded, seen: await lookUpHistory(history, recorded, wanted, NOTHING_KNOWN) };
  };
  const first = await look();
  if (all.length === 0) return [];
  if (first.seen.rows.size > 0) {
    requireEffect(wanted, first.seen, baseline);
    return [];
  }
  if (baseline === "none" || isPartOfProgram(wanted, first.recorded)) return [];
  const isUnowned = wanted.isWhole || omitServiceRows(first.recorded).length === 0;
  const listFoundTables = (): Promise<string[]> =>
    findTablesOfUsers(ctx, ref, { unlessMigrated: !isUnowned }).catch((error: unknown) => {
      if (history.via === "query" || !(error instanceof ForbiddenError)) throw error;
      throw new InvalidInputError("baseline", problems.unseenTables.message({ ref }));
    });
  if ((await listFoundTables()).length === 0) return [];
  // Another run may have made them since, with its history, or a script, with its record.
  forgetHistory(ctx, ref);
  const { recorded, seen } = await look();
  if (seen.rows.size > 0) return [];
  const tables = await listFoundTables();
  if (tables.length === 0) return [];
  if (baseline !== undefined) return baseline === "all" ? [...unclear] : listCovered(wanted, baseline);
  const shown = tables.length > 3 ? `${tables.slice(0, 3).join(", ")} and more` : tables.join(", ");
  throw new InvalidInputError(
    "baseline",
    problems.noBaseline.message({
      ref,
      tables: shown,
      history:
        omitServiceRows(recorded).length === 0
          ? "no migration history"
          : "a migration history with none of these files",
      files: formatFiles(unclear.map(({ label }) => label)),
    }),
  );
}

/** Refuses a baseline that covers pending files of a database whose history has others of them. */
export function requireEffect(
  wanted: DeclaredMigrations,
  { rows, doubted }: Pick<HistoryFindings, "rows" | "doubted">,
  baseline: string | undefined,
): void {
  const { ref } = wanted;
  const pending = listCovered(wanted, baseline).filter(
    (one) => !rows.has(one.version) && !doubted.some(({ file }) => file === one),
  );
  if (pending.length === 0 || rows.size === 0) return;
  const files = formatFiles(pending.map(({ label }) => label));
  throw new InvalidInputError("baseline", problems.baselineWithoutEffect.message({ ref, files }));
}

function listCovered({ all }: DeclaredMigrations, baseline: string | undefined): Migration[] {
  if (baseline === undefined || baseline === "none") return [];
  return baseline === "all" ? [...all] : all.filter((one) => isDeclared({ all, until: baseline }, one));
}

/** Whether the migrations endpoint recorded others of a program of single ones, under their own versions. */
function isPartOfProgram({ isWhole }: DeclaredMigrations, recorded: readonly HistoryRow[]): boolean {
  return (
    !isWhole && recorded.some(({ version, name = "" }) => /^\d{14}$/.test(version) && /^\d+_/.test(name))
  );
}

function formatFiles(files: readonly string[]): string {
  return files.length > 3 ? `${files.slice(0, 3).join(", ")} and ${files.length - 3} more` : files.join(", ");
}

/**
 * Versions that had been applied, where the history has none of the program's files any more, as after a restore without it. Empty where
 * it has some: what others took back is applied again.
 */
export async function findLostVersions(
  ctx: Context,
  recorded: readonly HistoryRow[],
  { ref, all }: DeclaredMigrations,
  known: KnownMigrations,
  noticed: readonly string[] = [],
): Promise<readonly string[]> {
  const versions = [...new Set([...noticed, ...listOwnVersions(known)])];
  if (versions.length === 0 || hasOwnRow(recorded, all, known)) return [];
  if (recorded.length === 0) await refuseEmptyListing(ctx, ref, "migrations");
  return versions;
}

/** Records a baseline, as far as a run that died has not. */
export async function recordBaseline(
  ctx: Context,
  history: MigrationHistory,
  { all }: DeclaredMigrations,
  { versions, recorded }: { readonly versions: readonly string[]; readonly recorded: readonly HistoryRow[] },
): Promise<void> {
  const missing = all.filter(
    (one) => versions.includes(one.version) && !recorded.some((row) => isRowOf(row, one, all)),
  );
  if (missing.length === 0) return;
  ctx.progress(
    `recording ${missing.length} migrations as applied because of \`baseline\`, via ${history.via}`,
  );
  await history.record(missing);
}
