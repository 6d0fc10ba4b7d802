import { z } from "zod";
import { defineProblem } from "../../../client/errors/problem";
import type { ConditionalCall } from "../../../define/conditional-call";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { computed, derivedFrom, formed, local } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, PartialError, type CheckFailure, type CheckResult } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { startingCalls } from "../../../waiting/starting-calls";
import { baselineOf } from "../shared/migration-baseline";
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
import { appliedSoFar, applyMigrations, historyOf, takeBack } from "../shared/migration-run";

const inputs = z.strictObject({
  projectRef,
  version: formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000").describe(
    "Version, unique among the migrations of the database. It names the migration, and stays once it is applied.",
  ),
  name: z.string().min(1).describe("Name, which stays once the migration is applied."),
  query: z.string().min(1).describe("SQL, which stays once it is applied."),
  rollback: z.string().min(1).describe("SQL that takes the migration back.").optional(),
  via: migrationVia
    .describe(
      `By which endpoint the migration is applied; \`${DEFAULT_VIA}\` if omitted. \`query\` applies it in one transaction with its row of the history, \`migrations\` is open to selected OAuth applications only. ${HISTORY_SENTENCE}`,
    )
    .optional(),
  baseline: local(
    z
      .enum(["all", "none"])
      .meta({
        id: "MigrationBaseline",
        description: "Whether a database that has no history has a migration already.",
      })
      .describe(
        "Whether a database that was built without migrations has this one already: `all` records it as applied and does not run it, `none` runs it. It counts only where a database has tables and no history, and there something has to be said.",
      ),
  ).optional(),
  rollbackOnDelete: local(
    z
      .boolean()
      .describe(
        "Whether deleting the resource takes the migration back by `rollback`; with the `migrations` endpoint, only while it is the latest.",
      ),
  ).optional(),
  sha256: derivedFrom(computed(z.string().describe("SHA-256 of the query.")), "query").optional(),
  ...everyResource,
});

const outputs = z.object({
  appliedVia: migrationVia.describe("By which endpoint the migration was applied."),
});

const ENDPOINT = 'with `via: "migrations"`';
const ROLLBACK = "with `rollbackOnDelete`";

const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update", "delete"),
  ["listMigrations", ["create", "read", "update"], ENDPOINT],
  ["applyMigration", ["create"], ENDPOINT],
  [
    "getMigration",
    ["create", "read", "update"],
    `${ENDPOINT}, when the history has it before the state does`,
  ],
  ["upsertMigration", ["create"], `${ENDPOINT}, as \`baseline\` says`],
  ["updateMigration", ["update"], `${ENDPOINT}, when \`rollback\` changes`],
  ["listMigrations", ["delete"], `${ENDPOINT}, ${ROLLBACK}`],
  ["updateMigration", ["delete"], `${ENDPOINT}, ${ROLLBACK}`],
  ["rollbackMigrations", ["delete"], `${ENDPOINT}, ${ROLLBACK}`],
  ["runReadOnlyQuery", ["delete"], ROLLBACK],
  ["runQuery", ["delete"], ROLLBACK],
];

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
    says: "{file} was applied to {ref}, and its version stays: {remedy}",
    means: "A migration that was applied has another version now. It is never applied twice.",
    remedy: "Restore the version, and give what is new a `Migration` of its own",
  }),
  nothingToRollBack: defineProblem({
    says: "`rollbackOnDelete` needs a `rollback`: {remedy}",
    means: "A delete is to take the migration back, and nothing says how.",
    remedy: "Give one, or leave `rollbackOnDelete` out",
  }),
};

/** The versions, of which there is one at most, that others applied: the lifecycle's own, as its name begins with `__`. */
const bookkeeping = z.object({ __ofOthers: z.array(z.string()).optional() });

/** One migration, applied once. */
export const migration = defineResource({
  type: "Migration",
  description:
    "Applies one migration to the database of a project or branch, once, whoever runs and whatever is interrupted. What was applied is never applied again: a preview refuses another version, name or query than this program applied. Several are ordered by `dependsOn`. One that others took back is gone, and is applied again. Deleting the resource leaves what it did, with a warning, unless `rollbackOnDelete` is set. For a folder of files, use `MigrationSet`; a project has one or the other.",
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
    (await historyOf(ctx, ref).list()).map((row) => ({ id: row.version, name: row.name ?? row.version })),
  ),
  adoption:
    "A create takes over what the history has of the same version; where others wrote another name or text, with a warning. Where a database has tables and no history, it asks for `baseline`. An import takes the statements that the history has.",
  problems,
  conditionalCalls,

  check: checkMigration,
  refuses: refusalsByState,

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const history = historyOf(ctx, ref, state.appliedVia ?? state.via);
    const { version = id, name } = state;
    const recorded = (await history.list()).find((row) => countsAs(row, { version, name }));
    if (recorded === undefined) return undefined;
    const { query, rollback } = state.query === undefined ? await history.detailsOf(recorded) : {};
    // What others wrote, and what the endpoint wrote under a version of its own, is shown as the program has it.
    const isAsRecorded = recorded.version === version && !isOfOthers(state);
    const shown = isAsRecorded || name === undefined ? recorded.name : name;
    return {
      inputs: { projectRef: ref, version, name: shown, query, rollback },
      outputs: { ...bookkeeping.parse(state), appliedVia: history.via },
    };
  },

  async create(ctx, declared) {
    const history = historyOf(ctx, declared.projectRef, declared.via);
    const wanted = declaredMigration(declared);
    const had = await baselineOf(ctx, history, wanted, declared.baseline);
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
    const history = historyOf(ctx, declared.projectRef, declared.via);
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
    const history = historyOf(ctx, ref, state.appliedVia);
    await takeBack(ctx, history, ref, [oneOf({ version, name, query, rollback })]);
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

function oneOf({ version, name, query, rollback }: One): Migration {
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
  return { ref, all: [oneOf(one)], until: undefined, isWhole: false };
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
  return { failures, computed: { sha256: oneOf({ version, name, query }).sha256 } };
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
  return refusals(wanted, known).map((reason) => ({ path: "query", reason }));
}
