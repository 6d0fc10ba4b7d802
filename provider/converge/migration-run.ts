import { InvalidInputError, isRefusal } from "../client/errors";
import { restated, serviceSays } from "../client/restated";
import type { Context } from "../define/context";
import { HalfDoneError } from "../define/half-done";
import { placeOf } from "./database-records";
import { entryOf, lookedUp, type MigrationEntry } from "./migration-entries";
import {
  compareVersions,
  isSame,
  type Migration,
  type MigrationHistory,
  type MigrationVia,
} from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";
import { nameOf, refusals, toApply, toTakeBack, type WantedMigrations } from "./migration-rules";
import { whenReady } from "./project-health";

/** What the history says of the program's migrations, once the project tells it; throws for what does not go with it. */
export async function appliedSoFar(
  ctx: Context,
  history: MigrationHistory,
  wanted: WantedMigrations,
  known: readonly MigrationEntry[],
): Promise<MigrationEntry[]> {
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
  migrations: MigrationEntry[],
  bookkeeping: object = {},
): MigrationsSeen {
  const ours = migrations.filter(({ sha256 }) => sha256 !== undefined);
  const outputs = { ...bookkeeping, appliedVia: via, latestVersion: ours.at(-1)?.version };
  return { inputs: { migrations }, outputs };
}

/**
 * Takes back and applies, in order, what the history shows is to be; returns what is applied then. A failure keeps what was
 * done before it.
 */
export async function bringMigrations(
  ctx: Context,
  history: MigrationHistory,
  wanted: WantedMigrations,
  known: readonly MigrationEntry[],
  bookkeeping: object = {},
): Promise<MigrationsSeen> {
  const found = await appliedSoFar(ctx, history, wanted, known);
  tellOfOthers(ctx, wanted, found);
  let applied = found.filter((entry) => wanted.all.some((one) => isSame(one, entry)));
  const pending = toApply(wanted, applied);
  try {
    await takeBack(ctx, history, wanted.ref, toTakeBack(wanted, applied), (gone) => {
      applied = applied.filter((entry) => !isSame(entry, gone));
    });
    for (const [index, migration] of pending.entries()) {
      const { label } = migration;
      ctx.progress(`applying ${label} (${index + 1} of ${pending.length}) via ${history.via}`);
      await applyOne(history, wanted.ref, migration);
      applied = sorted([...applied, entryOf(migration)]);
    }
    if (pending.length > 0) await requireRecorded(history, wanted.ref, pending);
    return migrationsSeen(history, applied, bookkeeping);
  } catch (error) {
    throw new HalfDoneError(migrationsSeen(history, applied, bookkeeping), error);
  }
}

/** Records in one history what another one has, so that it is not applied again. */
export async function recordInstead(
  ctx: Context,
  history: MigrationHistory,
  { ref, all }: WantedMigrations,
  applied: readonly MigrationEntry[],
): Promise<void> {
  const recorded = await whenReady(ctx, ref, ["db"], () => history.list());
  for (const migration of all) {
    const isApplied = applied.some((entry) => entry.sha256 === migration.sha256 && isSame(entry, migration));
    if (!isApplied || recorded.some((row) => isSame(row, migration))) continue;
    ctx.progress(`recording ${migration.label}, which was applied, via ${history.via}`);
    await history.record(migration);
  }
}

async function applyOne(history: MigrationHistory, ref: string, migration: Migration): Promise<void> {
  try {
    await history.apply(migration);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [file, place, answer] = [migration.label, placeOf(error), serviceSays(error)];
    throw restated(error, problems.failed.message({ file, place, ref, answer }));
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
  ctx.progress(`taking back ${files} via ${history.via}`);
  try {
    const recorded = await whenReady(ctx, ref, ["db"], () => history.list());
    await history.rollBack(migrations, recorded, tell);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw restated(error, problems.rollbackFailed.message({ files, ref, answer: serviceSays(error) }));
  }
}

/** A service that kept an idempotency key longer than its history would not apply again what was taken back. */
async function requireRecorded(
  history: MigrationHistory,
  ref: string,
  applied: readonly Migration[],
): Promise<void> {
  const recorded = await history.list();
  const lost = applied.find((migration) => !recorded.some((row) => isSame(row, migration)));
  if (lost !== undefined) throw new Error(problems.notRecorded.message({ file: lost.label, ref }));
}

function tellOfOthers(
  ctx: Context,
  { ref, all, isWhole }: WantedMigrations,
  found: readonly MigrationEntry[],
): void {
  const others = found.filter((entry) => !all.some((one) => isSame(one, entry)));
  if (isWhole && others.length > 0)
    ctx.warn(problems.appliedByOthers.message({ names: others.map(nameOf).join(", "), ref }));
}

function sorted(entries: readonly MigrationEntry[]): MigrationEntry[] {
  return entries.toSorted((left, right) => compareVersions(left.version, right.version));
}
