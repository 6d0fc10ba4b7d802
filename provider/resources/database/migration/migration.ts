import { z } from "zod";
import { defineProblem } from "../../../client/errors/problem";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { computed, derivedFrom, formed, local } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, PartialError, type CheckFailure, type CheckResult } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { findBaseline } from "../shared/migration-baseline";
import { NOTHING_KNOWN } from "../shared/migration-entries";
import {
  countsAs,
  DEFAULT_VIA,
  hashed,
  HISTORY_SENTENCE,
  isSame,
  migrationVia,
  formatMigration,
  type Migration,
  type MigrationVia,
} from "../shared/migration-history";
import { migrationProblems } from "../shared/migration-problems";
import { refusals, scriptFailures, type DeclaredMigrations } from "../shared/migration-rules";
import { appliedSoFar, applyMigrations, openHistory, takeBack } from "../shared/migration-run";

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
      `Endpoint that applies the migration. \`query\` applies it in one transaction with its row of the history. \`migrations\` is available to selected OAuth applications only. ${HISTORY_SENTENCE} Default: \`${DEFAULT_VIA}\`.`,
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
        "Whether a database built without migrations already has this one: `all` records it as applied without running it, `none` runs it. Required for a database that has tables but no migration history, and ignored for any other.",
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
const { rowsForPsql, psqlCommand, ownTransaction, rollbackAlone, rollbackByEndpoint } = migrationProblems;
const { aloneFailed, maybeDone, leftInvalid } = migrationProblems;
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
  standsAlone,
  rollbackAlone,
  rollbackByEndpoint,
  aloneFailed,
  maybeDone,
  leftInvalid,
  schemaStays,
  twoHistories,
  otherHistory,
  noBaseline,
  unseenTables,
  othersDiffer,
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

/** The versions, of which there is one at most, that others applied: the lifecycle's own, as its name begins with `__`. */
const bookkeeping = z.object({ __ofOthers: z.array(z.string()).optional() });

/** One migration, applied once. */
export const migration = defineResource({
  type: "Migration",
  description:
    "A migration that is applied once to the database of a project or branch, even if runs are interrupted. After that, its version, name and query cannot change; a preview fails if they do. Order several migrations with `dependsOn`. A migration that others rolled back is applied again. Deleting the resource leaves the schema, with a warning, unless `rollbackOnDelete` is set. For a folder of files, use `MigrationSet`; a project has one or the other.",
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
  list: listInProject(async (ctx, ref) =>
    (await openHistory(ctx, ref).list()).map((row) => ({ id: row.version, name: row.name ?? row.version })),
  ),
  adoption:
    "A create takes over a migration of the same version in the history. If its name or text differs, a warning says so. If a database has tables but no history, the create asks for `baseline`. An import reads the statements from the history.",
  problems,

  check: checkMigration,
  refuses: refusalsByState,

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const history = openHistory(ctx, ref, state.appliedVia ?? state.via);
    const { version = id, name } = state;
    const recorded = (await history.list()).find((row) => countsAs(row, { version, name }));
    if (recorded === undefined) return undefined;
    const { query, rollback } = state.query === undefined ? await history.detailsOf(recorded) : {};
    // What others wrote, and what the endpoint wrote under a version of its own, is shown as the program has it.
    const isAsRecorded = recorded.version === version && !isOfOthers(state);
    const shown = isAsRecorded || name === undefined ? recorded.name : name;
    return {
      // The history takes an empty name, which no program can declare.
      inputs: { projectRef: ref, version, name: shown === "" ? undefined : shown, query, rollback },
      outputs: { ...bookkeeping.parse(state), appliedVia: history.via },
    };
  },

  async create(ctx, declared) {
    const history = openHistory(ctx, declared.projectRef, declared.via);
    const wanted = declaredMigration(declared);
    const had = await findBaseline(ctx, history, wanted, declared.baseline);
    await history.record(had);
    const { outputs } = await applyMigrations(ctx, history, wanted, NOTHING_KNOWN).catch((error: unknown) => {
      // Of one that failed nothing was applied.
      throw error instanceof PartialError ? error.cause : error;
    });
    return {
      id: declared.version,
      inputs: {},
      outputs: { ...bookkeeping.parse(outputs), appliedVia: history.via },
    };
  },

  async update(ctx, { state, inputs: declared, changed }) {
    const history = openHistory(ctx, declared.projectRef, declared.via);
    const wanted = declaredMigration(declared);
    // Only of what is adopted, or what others applied, is the query not known to be what was applied.
    const seen = changed.has("query") ? await appliedSoFar(ctx, history, wanted, NOTHING_KNOWN) : undefined;
    if (changed.has("rollback")) for (const one of wanted.all) await history.keepRollback(one);
    const own = seen === undefined ? bookkeeping.parse(state) : { __ofOthers: [...seen.ofOthers] };
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
    await takeBack(ctx, history, ref, [toMigration({ version, name, query, rollback })]);
  },
});

function isOfOthers(state: object): boolean {
  return (bookkeeping.catch({}).parse(state).__ofOthers ?? []).length > 0;
}

/** The inputs that make a migration. */
interface One {
  readonly version: string;
  readonly name: string;
  readonly query: string;
  readonly rollback?: string | undefined;
}

function toMigration({ version, name, query, rollback }: One): Migration {
  return hashed({ version, name, label: formatMigration({ version, name }), query, rollback });
}

interface Declared extends One {
  readonly projectRef: string;
  readonly via?: MigrationVia | undefined;
  readonly rollbackOnDelete?: boolean | undefined;
}

function declaredMigration({
  projectRef: ref,
  ...one
}: One & Pick<Declared, "projectRef">): DeclaredMigrations {
  return { ref, all: [toMigration(one)], until: undefined, isWhole: false };
}

function checkMigration(
  { query, rollback, via = DEFAULT_VIA, rollbackOnDelete, version = "", name = "" }: Partial<Declared>,
  isUnknown: (name: "rollback") => boolean,
): CheckResult<{ sha256?: string | undefined }> {
  const label = formatMigration({ version, name });
  const failuresAt = (
    path: string,
    scripts: { query: string; rollback: string | undefined },
  ): CheckFailure[] => scriptFailures({ label, ...scripts }, via).map((reason) => ({ path, reason }));
  const failures = [
    ...failuresAt("query", { query: query ?? "", rollback: undefined }),
    ...failuresAt("rollback", { query: "", rollback }),
  ];
  if (rollbackOnDelete === true && rollback === undefined && !isUnknown("rollback"))
    failures.push({ path: "rollbackOnDelete", reason: problems.nothingToRollBack.message() });
  if (query === undefined) return { failures };
  return { failures, computed: { sha256: toMigration({ version, name, query }).sha256 } };
}

/** What was applied keeps its version, name and query. */
function refusalsByState(
  state: Partial<One> & { readonly sha256?: string | undefined },
  { projectRef: ref, version, name, query }: Partial<Declared>,
): CheckFailure[] {
  const { version: applied, name: appliedName, sha256 } = state;
  if (applied === undefined || ref === undefined || version === undefined) return [];
  if (!isSame({ version: applied }, { version })) {
    const file = formatMigration({ version: applied, name: appliedName });
    return [{ path: "version", reason: problems.versionStays.message({ file, ref }) }];
  }
  if (name === undefined || query === undefined) return [];
  const wanted = declaredMigration({ projectRef: ref, version, name, query });
  const entry = { version, name: appliedName, sha256 };
  const known = { migrations: [entry], ofOthers: isOfOthers(state) ? [version] : [] };
  const path = wanted.all.some((one) => one.sha256 === sha256) ? "name" : "query";
  return refusals(wanted, known).map((reason) => ({ path, reason }));
}
