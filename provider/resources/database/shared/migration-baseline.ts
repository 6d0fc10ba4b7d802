import { ForbiddenError, InvalidInputError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { forgetHistory } from "./history-place";
import { countsAs, type Migration, type MigrationHistory } from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";
import { builtWithoutHistory } from "./migration-history-by-query";
import { isDeclared, type DeclaredMigrations } from "./migration-rules";
import { whenReady } from "../../../waiting/project-health";

/** `all`, `none`, or the version of the last migration that a database without a history has. */
export const BASELINE = /^(?:\d+|all|none)$/;

/**
 * The migrations that a database without a history has already, as its baseline says: they are to be recorded and not run.
 * Throws where it was built on and nothing says which it has.
 */
export async function findBaseline(
  ctx: Context,
  history: MigrationHistory,
  { ref, all }: DeclaredMigrations,
  baseline: string | undefined,
): Promise<Migration[]> {
  const recorded = await whenReady(ctx, ref, ["db"], () => history.list());
  if (recorded.length > 0 || all.length === 0 || baseline === "none") return [];
  const foundTables = (): Promise<string[]> =>
    builtWithoutHistory(ctx, ref).catch((error: unknown) => {
      if (history.via === "query" || !(error instanceof ForbiddenError)) throw error;
      throw new InvalidInputError("baseline", problems.unseenTables.message({ ref }));
    });
  if ((await foundTables()).length === 0) return [];
  // Another run may have made them since, with its history, or a script, with its record.
  forgetHistory(ctx, ref);
  if ((await history.list()).length > 0) return [];
  const tables = await foundTables();
  if (tables.length === 0) return [];
  if (baseline === "all") return [...all];
  if (baseline !== undefined) return all.filter((one) => isDeclared({ all, until: baseline }, one));
  const shown = tables.length > 3 ? `${tables.slice(0, 3).join(", ")} and more` : tables.join(", ");
  const files = all.map(({ label }) => label);
  const named =
    files.length > 3 ? `${files.slice(0, 3).join(", ")} and ${files.length - 3} more` : files.join(", ");
  throw new InvalidInputError("baseline", problems.noBaseline.message({ ref, tables: shown, files: named }));
}

/** Records a baseline, as far as a run that died has not. */
export async function recordBaseline(
  ctx: Context,
  history: MigrationHistory,
  { ref, all }: DeclaredMigrations,
  versions: readonly string[],
): Promise<void> {
  const recorded = await whenReady(ctx, ref, ["db"], () => history.list());
  const missing = all.filter(
    (one) => versions.includes(one.version) && !recorded.some((row) => countsAs(row, one, all)),
  );
  if (missing.length === 0) return;
  ctx.progress(
    `recording ${missing.length} migrations as applied because of \`baseline\`, via ${history.via}`,
  );
  await history.record(missing);
}
