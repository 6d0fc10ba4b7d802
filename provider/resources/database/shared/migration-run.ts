import { InvalidInputError, isRefusal } from "../../../client/errors/errors";
import { withMessage, quoteServiceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { PartialError } from "../../../define/resource";
import { whenReady } from "../../../waiting/project-health";
import { locateScriptError } from "./database-records";
import { toEntry, lookedUp, type Known, type MigrationEntry, type Seen } from "./migration-entries";
import {
  compareFiles,
  countsAs,
  DEFAULT_VIA,
  isSame,
  formatMigration,
  type Migration,
  type MigrationHistory,
  type MigrationVia,
} from "./migration-history";
import { endpointHistory } from "./migration-history-by-endpoint";
import { queryHistory } from "./migration-history-by-query";
import { migrationProblems as problems } from "./migration-problems";
import { refusals, toApply, toTakeBack, type DeclaredMigrations } from "./migration-rules";
import { soleStatementAlone } from "./sql";

/** What the history says of the program's migrations, once the project tells it; throws for what does not go with it. */
export async function appliedSoFar(
  ctx: Context,
  history: MigrationHistory,
  wanted: DeclaredMigrations,
  known: Known,
): Promise<Seen> {
  const recorded = await whenReady(ctx, wanted.ref, ["db"], () => history.list());
  const applied = await lookedUp(history, recorded, wanted.all, known);
  const faults = refusals(wanted, applied);
  if (faults.length > 0) throw new InvalidInputError("migrations", faults.join("\n"));
  return applied;
}

/** What a read, a create and an update have in common. */
export interface MigrationsSeen {
  readonly inputs: { readonly migrations: MigrationEntry[] };
  readonly outputs: { readonly appliedVia: MigrationVia; readonly latestVersion: string | undefined };
}

/** `bookkeeping` goes along with the outputs. */
export function migrationsSeen(
  { via }: MigrationHistory,
  { migrations, ofOthers }: Known,
  bookkeeping: object = {},
): MigrationsSeen {
  const ours = migrations.filter(({ sha256 }) => sha256 !== undefined);
  const outputs = {
    ...bookkeeping,
    __ofOthers: [...ofOthers],
    appliedVia: via,
    latestVersion: ours.at(-1)?.version,
  };
  return { inputs: { migrations: [...migrations] }, outputs };
}

/**
 * Takes back and applies, in order, what the history shows is to be; returns what is applied then. A failure keeps what was
 * done before it.
 */
export async function applyMigrations(
  ctx: Context,
  history: MigrationHistory,
  wanted: DeclaredMigrations,
  known: Known,
  bookkeeping: object = {},
): Promise<MigrationsSeen> {
  const found = await appliedSoFar(ctx, history, wanted, known);
  tellOfOthers(ctx, wanted, found);
  const { ofOthers } = found;
  let applied = found.migrations.filter((entry) => wanted.all.some((one) => isSame(one, entry)));
  const seen = (): MigrationsSeen => migrationsSeen(history, { migrations: applied, ofOthers }, bookkeeping);
  const pending = toApply(wanted, applied);
  try {
    await takeBack(ctx, history, wanted.ref, toTakeBack(wanted, applied), (gone) => {
      applied = applied.filter((entry) => !isSame(entry, gone));
    });
    for (const [index, migration] of pending.entries()) {
      const { label } = migration;
      ctx.progress(`applying ${label} (${index + 1} of ${pending.length}) via ${history.via}`);
      await applyOne(history, wanted.ref, migration);
      applied = sorted([...applied, toEntry(migration)]);
    }
    if (pending.length > 0) await requireRecorded(history, wanted.ref, pending);
    return seen();
  } catch (error) {
    throw new PartialError(seen(), error);
  }
}

async function applyOne(history: MigrationHistory, ref: string, migration: Migration): Promise<void> {
  try {
    await history.apply(migration);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const isAlone = soleStatementAlone(migration.query) !== undefined;
    const told = locateScriptError(error, migration.query, history.via === "query" && !isAlone ? 1 : 0);
    const problem = isAlone ? problems.aloneFailed : problems.failed;
    throw withMessage(error, problem.message({ file: migration.label, ref, ...told }));
  }
}

/** Takes migrations back, newest first. */
export async function takeBack(
  ctx: Context,
  history: MigrationHistory,
  ref: string,
  migrations: readonly Migration[],
  tell: (gone: Migration) => void = () => undefined,
): Promise<void> {
  if (migrations.length === 0) return;
  const files = migrations.map(({ label }) => label).join(", ");
  ctx.progress(`rolling back ${files} via ${history.via}`);
  try {
    const recorded = await whenReady(ctx, ref, ["db"], () => history.list());
    await history.rollBack(migrations, recorded, tell);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw withMessage(
      error,
      problems.rollbackFailed.message({ files, ref, answer: quoteServiceMessage(error) }),
    );
  }
}

/** A service that kept an idempotency key longer than its history would not apply again what was taken back. */
async function requireRecorded(
  history: MigrationHistory,
  ref: string,
  applied: readonly Migration[],
): Promise<void> {
  const recorded = await history.list();
  const lost = applied.find((migration) => !recorded.some((row) => countsAs(row, migration, applied)));
  if (lost !== undefined) throw new Error(problems.notRecorded.message({ file: lost.label, ref }));
}

function tellOfOthers(
  ctx: Context,
  { ref, all, isWhole }: DeclaredMigrations,
  { migrations, differing }: Seen,
): void {
  if (differing.length > 0) ctx.warn(problems.othersDiffer.message({ ref, files: differing.join(", ") }));
  const others = migrations.filter((entry) => !all.some((one) => isSame(one, entry)));
  if (isWhole && others.length > 0)
    ctx.warn(problems.appliedByOthers.message({ names: others.map(formatMigration).join(", "), ref }));
}

function sorted(entries: readonly MigrationEntry[]): MigrationEntry[] {
  return entries.toSorted((left, right) => compareFiles(left, right));
}

/** The history of a database, by the endpoint that is declared. */
export function openHistory(ctx: Context, ref: string, via: MigrationVia = DEFAULT_VIA): MigrationHistory {
  return via === "query" ? queryHistory(ctx, ref) : endpointHistory(ctx, ref);
}
