import {
  type ApiError,
  CancelledError,
  InvalidInputError,
  isAmbiguous,
  isRefusal,
} from "../../../client/errors/errors";
import { replaceMessage, quoteServiceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { PartialError } from "../../../define/resource";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import { callWhenReady } from "../../../waiting/project-health";
import { locateScriptError } from "./database-records";
import {
  listAcknowledged,
  lookUpHistory,
  toRowsBookkeeping,
  toEntry,
  type KnownMigrations,
  type MigrationEntry,
  type HistoryFindings,
} from "./migration-entries";
import {
  compareFiles,
  DEFAULT_VIA,
  formatMigration,
  isSameVersion,
  type AppliedMigration,
  type Migration,
  type MigrationHistory,
  type MigrationVia,
} from "./migration-history";
import { createEndpointHistory } from "./migration-history-by-endpoint";
import { createQueryHistory } from "./migration-history-by-query";
import { isRowOf } from "./migration-identity";
import { migrationProblems as problems, singleMigrationProblems } from "./migration-problems";
import { listRefusals, listToApply, listToTakeBack, type DeclaredMigrations } from "./migration-rules";
import { readSqlFile } from "./sql-file";
import { describeSql } from "./unanswered-sql";

/** What the history says of the program's migrations, once the project tells it; throws for what does not go with it. */
export async function readAppliedSoFar(
  ctx: Context,
  history: MigrationHistory,
  wanted: DeclaredMigrations,
  {
    known,
    covered = [],
    isCompared,
  }: { known: KnownMigrations; covered?: readonly Migration[]; isCompared?: boolean },
): Promise<HistoryFindings> {
  const recorded = await callWhenReady(ctx, wanted.ref, ["db"], () => history.list());
  const isKnown = known.migrations.some(({ sha256 }) => sha256 !== undefined);
  if (recorded.length === 0 && isKnown) await refuseEmptyListing(ctx, wanted.ref, "migrations");
  const seen = await lookUpHistory(history, recorded, wanted, known, isCompared);
  // What a baseline covers is as good as recorded.
  const rows = new Map([...seen.rows, ...covered.map(({ version }) => [version, []] as const)]);
  const faults = listRefusals(wanted, { ...seen, rows });
  if (faults.length > 0) throw new InvalidInputError("migrations", faults.join("\n"));
  return seen;
}

/** What a read, a create and an update have in common. */
export interface ObservedMigrations {
  readonly inputs: { readonly migrations: MigrationEntry[] };
  readonly outputs: { readonly appliedVia: MigrationVia; readonly latestVersion: string | undefined };
}

/** `listed` are the rows of others that go along with the program's own; `bookkeeping` goes along with the outputs. */
export function describeMigrations(
  { via }: MigrationHistory,
  known: KnownMigrations,
  listed: readonly MigrationEntry[],
  bookkeeping: object = {},
): ObservedMigrations {
  const ours = known.migrations.filter(({ sha256 }) => sha256 !== undefined);
  const others = listed.map(({ version, name }): MigrationEntry => {
    return { version, ...(name === undefined ? {} : { name }) };
  });
  const outputs = {
    ...bookkeeping,
    ...toRowsBookkeeping(known),
    appliedVia: via,
    latestVersion: ours.at(-1)?.version,
  };
  return { inputs: { migrations: [...ours, ...others] }, outputs };
}

/** What is known and declared of a set or a single migration. */
interface MigrationKnowledge {
  readonly known: KnownMigrations;
  /** Rows of others that the program's list goes on to have. */
  readonly kept?: readonly MigrationEntry[];
  readonly bookkeeping?: object;
}

/**
 * Takes back and applies, in order, what the history shows is to be; returns what is applied then. A failure keeps what was
 * done before it.
 */
export async function applyMigrations(
  ctx: Context,
  history: MigrationHistory,
  wanted: DeclaredMigrations,
  { known, kept = [], bookkeeping = {} }: MigrationKnowledge,
): Promise<ObservedMigrations> {
  const found = await readAppliedSoFar(ctx, history, wanted, { known, isCompared: true });
  warnOfOthers(ctx, wanted, { found, known, kept });
  let { migrations: applied } = found;
  const seen = (): ObservedMigrations =>
    describeMigrations(history, { ...found, migrations: applied }, kept, bookkeeping);
  const pending = listToApply(wanted, found);
  try {
    await takeBackMigrations(ctx, history, wanted.ref, listToTakeBack(wanted, found), (gone) => {
      applied = applied.filter((entry) => !isSameVersion(entry, gone));
    });
    for (const [index, migration] of pending.entries()) {
      const { label } = migration;
      ctx.progress(`applying ${label} (${index + 1} of ${pending.length}) via ${history.via}`);
      await applyOne(ctx, history, wanted.ref, migration);
      applied = sortEntries([...applied, toEntry(migration)]);
    }
    if (pending.length > 0) await requireRecorded(history, wanted.ref, pending);
    return seen();
  } catch (error) {
    throw new PartialError(seen(), error);
  }
}

async function applyOne(
  ctx: Context,
  history: MigrationHistory,
  ref: string,
  migration: Migration,
): Promise<void> {
  try {
    await history.apply(migration);
  } catch (error) {
    if (isAmbiguous(error) && !(error instanceof CancelledError))
      throw explainUnanswered(error, ref, migration);
    if (!isRefusal(error)) throw error;
    const { alone, transactions } = readSqlFile(migration.query);
    const isAlone = alone !== undefined;
    const hasParts = transactions.length > 1;
    const hasOurs = !isAlone && (history.via === "query" || hasParts);
    const told = locateScriptError(error, migration.query, hasOurs ? 1 : 0);
    const problem = hasParts ? problems.partFailed : isAlone ? problems.aloneFailed : problems.failed;
    const message = problem.message({ file: migration.label, ref, ...told });
    throw replaceMessage(error, [message, ...listMissingBefore(ctx, error)].join(" "));
  }
}

function explainUnanswered(error: unknown, ref: string, { label, query }: Migration): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const what = describeSql(label, query);
  return new Error(problems.unanswered.message({ what, ref, error: reason }), { cause: error });
}

/** What only the service's own switches, or a script before it, make. */
function listMissingBefore(ctx: Context, { serviceMessage }: ApiError): string[] {
  const schema = ctx.api.schemaNamed("svc_functions").name;
  const isOfWebhooks =
    /\b(?:3F000|42P01|42883)\b/.test(serviceMessage) &&
    (serviceMessage.includes(`"${schema}"`) || serviceMessage.includes(`${schema}.`));
  if (isOfWebhooks) return [problems.needsWebhooks.message({ schema })];
  const [, role] = /\b42704\b.*?\brole "([^"\n]+)" does not exist/s.exec(serviceMessage) ?? [];
  return role === undefined ? [] : [problems.needsRole.message({ role })];
}

/** Takes migrations back, newest first. */
export async function takeBackMigrations(
  ctx: Context,
  history: MigrationHistory,
  ref: string,
  migrations: readonly AppliedMigration[],
  tell: (gone: Migration) => void = () => undefined,
): Promise<void> {
  if (migrations.length === 0) return;
  const files = migrations.map(({ migration }) => migration.label).join(", ");
  ctx.progress(`rolling back ${files} via ${history.via}`);
  try {
    const recorded = await callWhenReady(ctx, ref, ["db"], () => history.list());
    await history.rollBack(migrations, recorded, tell);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw replaceMessage(
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
  const lost = applied.find((migration) => !recorded.some((row) => isRowOf(row, migration, applied)));
  if (lost !== undefined) throw new Error(problems.notRecorded.message({ file: lost.label, ref }));
}

interface MigrationReport {
  readonly found: HistoryFindings;
  readonly known: KnownMigrations;
  readonly kept?: readonly MigrationEntry[];
}

/** Tells once of what others have applied. */
export function warnOfOthers(
  ctx: Context,
  { ref, isWhole, accept }: DeclaredMigrations,
  { found, known, kept = [] }: MigrationReport,
): void {
  for (const { row, file } of found.counted) {
    if (accept.includes(file.version)) continue;
    const [rowVersion, name] = [row.version, row.name ?? ""];
    // The version of a single one that was applied cannot change.
    const problem = isWhole ? problems.countsAsApplied : singleMigrationProblems.countsAlone;
    ctx.warn(problem.message({ file: file.label, ref, rowVersion, name }));
  }
  for (const { row, file } of found.renamed)
    ctx.warn(problems.countsAsRenamed.message({ file: file.label, ref, rowVersion: row.version }));
  if (found.differing.length > 0)
    ctx.warn(problems.othersDiffer.message({ ref, files: found.differing.join(", ") }));
  const old = listAcknowledged(known);
  const isKept = (one: MigrationEntry): boolean => kept.some((each) => isSameVersion(each, one));
  const others = found.others.filter((one) => !old.has(one.version) && !isKept(one));
  if (isWhole && others.length > 0)
    ctx.warn(problems.appliedByOthers.message({ names: others.map(formatMigration).join(", "), ref }));
}

function sortEntries(entries: readonly MigrationEntry[]): MigrationEntry[] {
  return entries.toSorted((left, right) => compareFiles(left, right));
}

/** The history of a database, by the endpoint that is declared. */
export function openHistory(ctx: Context, ref: string, via: MigrationVia = DEFAULT_VIA): MigrationHistory {
  return via === "query" ? createQueryHistory(ctx, ref) : createEndpointHistory(ctx, ref);
}
