import { z } from "zod";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { computed, derivedFrom, formed, local } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, PartialError, type CheckFailure, type CheckResult } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { callWhenReady } from "../../../waiting/project-health";
import { findBaseline } from "../shared/migration-baseline";
import {
  readKnown,
  lookUpInState,
  NOTHING_KNOWN,
  rowsBookkeeping,
  toRowsBookkeeping,
  type KnownMigrations,
} from "../shared/migration-entries";
import {
  DEFAULT_VIA,
  createMigration,
  HISTORY_SENTENCE,
  isSameVersion,
  migrationVia,
  formatMigration,
  type AppliedMigration,
  type Migration,
  type MigrationHistory,
  type MigrationVia,
  type MigrationName,
  type HistoryRow,
} from "../shared/migration-history";
import { isRowOf } from "../shared/migration-identity";
import { migrationProblems, singleMigrationProblems } from "../shared/migration-problems";
import { unansweredProblems } from "../shared/database-records";
import { formatFault, listRefusals, checkRollback, type DeclaredMigrations } from "../shared/migration-rules";
import {
  readAppliedSoFar,
  applyMigrations,
  openHistory,
  takeBackMigrations,
  warnOfOthers,
} from "../shared/migration-run";
import { readSqlFile } from "../shared/sql-file";

const inputs = z.strictObject({
  projectRef,
  version: formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000").describe(
    "Version of digits, unique among the migrations of the database. It cannot change after the migration was applied.",
  ),
  name: z.string().min(1).describe("Name. It cannot change after the migration was applied."),
  query: z
    .string()
    .min(1)
    .describe("SQL of the migration. It cannot change after the migration was applied."),
  rollback: z.string().min(1).describe("SQL that rolls back the migration.").optional(),
  via: migrationVia
    .describe(
      `Endpoint that applies the migration. \`query\` applies it in one transaction with its row of the history. \`migrations\` is available to selected OAuth applications, and on some plans to personal tokens. ${HISTORY_SENTENCE} Default: \`${DEFAULT_VIA}\`.`,
    )
    .optional(),
  baseline: local(
    z
      .enum(["all", "none"])
      .meta({
        id: "MigrationBaseline",
        description: "Whether a database without a history already has the migration.",
      })
      .describe(
        "Whether a database built without migrations already has this one: `all` records it as applied without running it, `none` runs it. Required for a database that has tables and no history, or a history of which this provider wrote nothing. An empty database runs it.",
      ),
  ).optional(),
  accept: local(
    z
      .array(formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000"))
      .describe(
        "The migration's version, if it counts as applied whatever content or name the history has for it: in a row of its version, or in one of its name. Nothing runs then. In a database without such a row, it is applied.",
      ),
  ).optional(),
  rollbackOnDelete: local(
    z
      .boolean()
      .describe(
        "Whether deleting the resource rolls back the migration with `rollback`. With the `migrations` endpoint, this works only for the latest migration. Default: `false`.",
      ),
  ).optional(),
  sha256: derivedFrom(computed(z.string().describe("SHA-256 of the query.")), "query").optional(),
  ...everyResource,
});

const outputs = z.object({
  appliedVia: migrationVia.describe("Endpoint that applied the migration."),
});

const { changed, renamed, laterOfOthers, failed, rollbackFailed, notRecorded } = migrationProblems;
const { closed, queryClosed, standsAlone, schemaStays } = migrationProblems;
const { rowsForPsql, psqlCommand, ownTransaction, neverClosed } = migrationProblems;
const { rollbackAlone, rollbackByEndpoint, rollbackInParts } = migrationProblems;
const { unanswered, needsWebhooks, needsRole } = migrationProblems;
const { aloneFailed, maybeDone, endUnseen, leftInvalid, partFailed, partlyApplied } = migrationProblems;
const { otherVersion, severalTransactions } = migrationProblems;
const { twoHistories, otherHistory, noBaseline, unseenTables, othersDiffer } = migrationProblems;

const problems = {
  changed,
  renamed,
  laterOfOthers,
  failed,
  rollbackFailed,
  notRecorded,
  closed,
  queryClosed,
  rowsForPsql,
  psqlCommand,
  ownTransaction,
  neverClosed,
  standsAlone,
  rollbackInParts,
  partFailed,
  partlyApplied,
  otherVersion,
  ...singleMigrationProblems,
  severalTransactions,
  rollbackAlone,
  rollbackByEndpoint,
  ...unansweredProblems,
  unanswered,
  needsWebhooks,
  needsRole,
  aloneFailed,
  maybeDone,
  endUnseen,
  leftInvalid,
  schemaStays,
  twoHistories,
  otherHistory,
  noBaseline,
  unseenTables,
  othersDiffer,
  notItsVersion: defineProblem({
    says: "{version} is not the version of this migration: {remedy}",
    means: "`accept` has another version than the migration's.",
    remedy: "Set the migration's version, or remove `accept`",
  }),
  notYetPossible: defineProblem({
    says: "{reasons}. If the history does not have this migration, {remedy}.",
    means: "Warning. The query cannot be run as it is. That does not matter if it was applied already.",
    remedy: "the create refuses it",
  }),
  versionStays: defineProblem({
    says: "{file} was applied to {ref}, so its version cannot change: {remedy}",
    means: "The version of an applied migration has changed.",
    remedy: "Restore the version. For a new change, declare another `Migration`",
  }),
  nothingToRollBack: defineProblem({
    says: "`rollbackOnDelete` requires `rollback`: {remedy}",
    means: "A delete should roll back the migration, but `rollback` is missing.",
    remedy: "Declare `rollback`, or omit `rollbackOnDelete`",
  }),
};

/** No program's, as its names begin with `__`. */
const bookkeeping = rowsBookkeeping;

/** One migration, applied once. */
export const migration = defineResource({
  type: "Migration",
  description:
    "A migration that is applied once to the database of a project or branch, even if runs are interrupted. It counts as applied if the service's own history has its version, or its name and content under a later version. After that, its version, name and query cannot change; a preview fails if they do. Order several migrations with `dependsOn`. A migration that others rolled back is applied again. Deleting the resource leaves the schema, with a warning, unless `rollbackOnDelete` is set. For a folder of files, use `MigrationSet`; a project has one or the other.",
  inputs,
  outputs,
  bookkeeping,
  timeouts: { create: 1800, update: 1800, delete: 1800 },
  isRepeatable: true,
  unsetsRemovedInputs: true,
  uniqueBy: ["version"],
  manages: { collection: "migrations", extent: "part" },
  importId: {
    ...inProject("version", "`getMigrations`", "20260131120000"),
    alsoDeclares: ["rollback"],
  },
  list: listInProject(
    async (ctx, ref) =>
      (await openHistory(ctx, ref).list()).map((row) => ({ id: row.version, name: row.name ?? row.version })),
    /^[^/\0\r\n]+$/,
  ),
  adoption:
    "A create takes over a migration of the same version in the history. If its name or text differs, a warning says so. If a database has tables but no history, or one of which this provider wrote nothing, the create asks for `baseline`. An import reads the statements from the history.",
  problems,

  check: checkMigration,
  diff: (state, declared) => ({ failures: checkAgainstState(state, declared) }),
  plan: {
    covers: ["sha256"],
    describe: (state, { query, sha256 }) =>
      state !== undefined && state.sha256 !== sha256 && state.query === query
        ? ["only the record of the query changes: nothing runs"]
        : [],
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const history = openHistory(ctx, ref, state.appliedVia ?? state.via);
    const { version = id, name } = state;
    const own = readKnown(state);
    const recorded = rowsOf(await history.list(), { version, name }, own)[0];
    if (recorded === undefined) return undefined;
    const { query, rollback } = state.query === undefined ? await history.detailsOf(recorded) : {};
    // What others wrote, and what the endpoint wrote under a version of its own, is shown as the program has it.
    const isTaken = isOfOthers(state) || state.accept?.includes(version) === true;
    const isAsRecorded = recorded.version === version && !isTaken;
    const shown = isAsRecorded || name === undefined ? recorded.name : name;
    return {
      // The history takes an empty name, which no program can declare.
      inputs: { projectRef: ref, version, name: shown === "" ? undefined : shown, query, rollback },
      outputs: { ...bookkeeping.parse(state), appliedVia: history.via },
    };
  },

  async create(ctx, declared) {
    const history = openHistory(ctx, declared.projectRef, declared.via);
    const wanted = toDeclaredMigrations(declared);
    const had = await findBaseline(ctx, history, wanted, declared.baseline);
    const found = await readAppliedSoFar(ctx, history, wanted, { known: NOTHING_KNOWN, covered: had });
    warnOfOthers(ctx, wanted, { found, known: NOTHING_KNOWN });
    await history.record(had);
    const { outputs } = await applyMigrations(ctx, history, wanted, { known: found }).catch(
      (error: unknown) => {
        // Of one that failed nothing was applied.
        throw error instanceof PartialError ? error.cause : error;
      },
    );
    return {
      id: declared.version,
      inputs: {},
      outputs: { ...bookkeeping.parse(outputs), appliedVia: history.via },
    };
  },

  async update(ctx, { state, inputs: declared, changed }) {
    const history = openHistory(ctx, declared.projectRef, declared.via);
    const wanted = toDeclaredMigrations(declared);
    // Only of what is adopted, or what others applied, is the query not known to be what was applied.
    const seen = changed.has("query")
      ? await readAppliedSoFar(ctx, history, wanted, { known: readKnown(state) })
      : undefined;
    if (changed.has("rollback"))
      for (const one of await findApplied(ctx, history, wanted, readKnown(state)))
        await history.keepRollback(one);
    const own = bookkeeping.parse(seen === undefined ? state : toRowsBookkeeping(seen));
    return { outputs: { ...own, appliedVia: history.via } };
  },

  async delete(ctx, { state }) {
    const ref = requireProjectRef(state);
    const { version, name, query, rollback, rollbackOnDelete = false } = state;
    if (!rollbackOnDelete || version === undefined || name === undefined || query === undefined) {
      ctx.warn(problems.schemaStays.message({ ref }));
      return;
    }
    const history = openHistory(ctx, ref, state.appliedVia);
    const all = [toMigration({ version, name, query, rollback })];
    await takeBackMigrations(
      ctx,
      history,
      ref,
      await findApplied(ctx, history, { ref, all }, readKnown(state)),
    );
  },
});

/** The rows of a migration. */
function rowsOf(
  recorded: readonly HistoryRow[],
  one: MigrationName,
  { under }: KnownMigrations,
): HistoryRow[] {
  return recorded.filter((row) => isRowOf(row, one) || under[one.version] === row.version);
}

/** Those of the migrations that the history has, with their rows. */
async function findApplied(
  ctx: Context,
  history: MigrationHistory,
  { ref, all }: { readonly ref: string; readonly all: readonly Migration[] },
  known: KnownMigrations,
): Promise<AppliedMigration[]> {
  const recorded = await callWhenReady(ctx, ref, ["db"], () => history.list());
  return all.map((migration) => ({ migration, rows: rowsOf(recorded, migration, known) }));
}

function isOfOthers(state: object): boolean {
  return (bookkeeping.catch({}).parse(state).__ofOthers ?? []).length > 0;
}

/** The inputs that make a migration. */
interface MigrationInputs {
  readonly version: string;
  readonly name: string;
  readonly query: string;
  readonly rollback?: string | undefined;
}

function toMigration({ version, name, query, rollback }: MigrationInputs): Migration {
  return createMigration({ version, name, label: formatMigration({ version, name }), query, rollback });
}

interface DeclaredMigration extends MigrationInputs {
  readonly projectRef: string;
  readonly via?: MigrationVia | undefined;
  readonly accept?: readonly string[] | undefined;
  readonly rollbackOnDelete?: boolean | undefined;
}

function toDeclaredMigrations({
  projectRef: ref,
  accept = [],
  ...one
}: MigrationInputs & Pick<DeclaredMigration, "projectRef" | "accept">): DeclaredMigrations {
  return { ref, all: [toMigration(one)], until: undefined, isWhole: false, accept, outOfOrder: false };
}

function checkMigration(
  { query, rollback, via = DEFAULT_VIA, rollbackOnDelete, accept = [], ...one }: Partial<DeclaredMigration>,
  isUnknown: (name: "rollback" | "projectRef" | "version") => boolean,
  before?: Readonly<Record<string, unknown>>,
): CheckResult<{ sha256?: string | undefined }> {
  const { version = "", name = "" } = one;
  const label = formatMigration({ version, name });
  const faults = formatFault(label, query ?? "") ?? [];
  const parts = readSqlFile(query ?? "").transactions.length;
  const isNew = before === undefined && isUnknown("projectRef");
  const failures: CheckFailure[] = [
    ...(isNew ? faults : []).map((reason) => ({ path: "query", reason })),
    ...checkRollback({ label, rollback }, via).map((reason) => ({ path: "rollback", reason })),
  ];
  const wrong = accept.findIndex((each) => each !== version);
  if (wrong !== -1 && !isUnknown("version"))
    failures.push({
      path: `accept[${wrong}]`,
      reason: problems.notItsVersion.message({ version: accept[wrong] ?? "" }),
    });
  if (rollbackOnDelete === true && rollback === undefined && !isUnknown("rollback"))
    failures.push({ path: "rollbackOnDelete", reason: problems.nothingToRollBack.message() });
  const warnings =
    before !== undefined
      ? []
      : [
          ...(faults.length === 0 || isNew
            ? []
            : [problems.notYetPossible.message({ reasons: faults.join("; ") })]),
          ...(parts === 1
            ? []
            : [problems.severalTransactions.message({ file: label, count: String(parts) })]),
        ];
  if (query === undefined) return { failures };
  return { failures, warnings, computed: { sha256: toMigration({ version, name, query }).sha256 } };
}

/** What was applied keeps its version, name and query. */
function checkAgainstState(
  state: Partial<MigrationInputs> & { readonly sha256?: string | undefined },
  { projectRef: ref, version, name, query, accept }: Partial<DeclaredMigration>,
): CheckFailure[] {
  const { version: applied, name: appliedName, sha256 } = state;
  if (applied === undefined || ref === undefined || version === undefined) return [];
  if (!isSameVersion({ version: applied }, { version })) {
    const file = formatMigration({ version: applied, name: appliedName });
    return [{ path: "version", reason: problems.versionStays.message({ file, ref }) }];
  }
  if (name === undefined || query === undefined) return [];
  const wanted = toDeclaredMigrations({ projectRef: ref, version, name, query, accept });
  const known = { ...readKnown(state), migrations: [{ version, name: appliedName, sha256 }] };
  const path = wanted.all.some((one) => one.sha256 === sha256) ? "name" : "query";
  return listRefusals(wanted, lookUpInState(wanted, known)).map((reason) => ({ path, reason }));
}
