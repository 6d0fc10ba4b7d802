import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { callWhenReady } from "../../../waiting/project-health";
import { computed, formed, local } from "../../../define/markers";
import { formatName, formatPlanLine } from "../../../define/plan-words";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource } from "../../../define/resource";
import { sha256 } from "../../../core/sha256";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  BASELINE,
  findBaseline,
  findLostVersions,
  recordBaseline,
  requireEffect,
} from "../shared/migration-baseline";
import {
  listAcknowledged,
  listOwnVersions,
  findEntries,
  findFormerEntries,
  readKnown,
  lookUpHistory,
  lookUpInState,
  migrationEntry,
  NOTHING_KNOWN,
  rowsBookkeeping,
  listStrangers,
  type HistoryFindings,
  type MigrationEntry,
} from "../shared/migration-entries";
import {
  readAppliedSoFar,
  applyMigrations,
  describeMigrations,
  openHistory,
  warnOfOthers,
} from "../shared/migration-run";
import { DEFAULT_VIA, formatMigration, HISTORY_SENTENCE, migrationVia } from "../shared/migration-history";
import {
  isDeclared,
  listRefusals,
  listToApply,
  listToTakeBack,
  type DeclaredMigrations,
} from "../shared/migration-rules";
import {
  checkFolder,
  listMisnamedFiles,
  problems,
  readDeclaredAsShown,
  readDeclared,
} from "./declared-migrations";

const inputs = z.strictObject({
  projectRef,
  directory: local(
    z
      .string()
      .min(1)
      .describe(
        "Folder of the migrations, relative to the program's folder. Migrations are named `<version>_<name>.sql` with a version of digits, and their optional rollbacks `rollbacks/<version>_<name>.sql`. `<version>_<name>.down.sql` is a rollback too, with a warning, because the platform's own tool would apply it. Files are applied in the byte order of their names, as by that tool. Each file has at most 20 MiB; links must lead to files in the folder.",
      ),
  ),
  via: migrationVia
    .describe(
      `Endpoint that applies the migrations. \`query\` applies each file in one transaction with its row of the history. \`migrations\` is available to selected OAuth applications, and on some plans to personal tokens. ${HISTORY_SENTENCE} Default: \`${DEFAULT_VIA}\`.`,
    )
    .optional(),
  rollbackTo: local(
    formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000").describe(
      "Version to roll back to, or `0` to roll back everything. Later migrations are rolled back, newest first, and are not applied while this is set.",
    ),
  ).optional(),
  baseline: local(
    formed(z.string().regex(BASELINE), "a version of digits, `all` or `none`", "20260131120000").describe(
      "Migrations that a database built without them already has: all up to this version, `all`, or `none`. They are recorded as applied without running. Required for a database that has tables and whose history has none of the files. An empty database gets all files. You can leave it in the program; a create or a new value fails if the history has some of the files and `baseline` covers others.",
    ),
  ).optional(),
  accept: local(
    z
      .array(formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000"))
      .describe(
        "Versions of files that count as applied, whatever content or name the history has for them: those with a row of the file's version, or with a row of its name that is no other file's. Nothing runs for them. In a database without such a row, the file is applied as any other, so one program can serve databases that differ.",
      ),
  ).optional(),
  outOfOrder: local(
    z
      .boolean()
      .describe(
        "Whether a file that comes before an applied one is applied late instead of being refused. Default: `false`.",
      ),
  ).optional(),
  exclude: local(
    z
      .array(z.string().min(1))
      .describe(
        "Names of SQL files in the folder that are no migrations, such as `queries.sql`. They are not read.",
      ),
  ).optional(),
  migrations: computed(
    z.array(migrationEntry).describe("Migrations of the folder, in their order."),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  appliedVia: migrationVia.describe("Endpoint that applied the migrations."),
  latestVersion: z.string().describe("Version of the latest applied migration.").optional(),
});

/** No program's, as its names begin with `__`. */
const bookkeeping = rowsBookkeeping.extend({
  /** The hash of what was declared last. */
  __folder: z.string().optional(),
  /** Versions that the database had before it had a history: to be recorded before anything is applied. */
  __baseline: z.array(z.string()).optional(),
  /** Versions that had been applied when a refresh found a history without any of them. */
  __lost: z.array(z.string()).optional(),
});

/** A folder of migrations, each applied once and in order. */
export const migrationSet = defineResource({
  type: "MigrationSet",
  description:
    "A folder of migrations that is applied to the database of a project or branch. Each file is applied once, in the order of the names, even if runs are interrupted or several machines run the program. Migrations in the service's own history, for example from the platform's tool, count as applied by their version, or by their name and content; if the text of the same version differs, a warning says so. A preview lists pending migrations. It fails if an applied file was changed, renamed or removed, or if a new file comes before an applied one. A refresh shows migrations that others applied or rolled back as drift. Deleting the resource leaves the schema, with a warning. A project has either one `MigrationSet` or any number of `Migration`s.",
  inputs,
  outputs,
  bookkeeping,
  timeouts: { create: 3600, update: 3600, delete: 300 },
  isRepeatable: true,
  unsetsRemovedInputs: true,
  uniqueBy: [],
  manages: { collection: "migrations", extent: "whole" },
  importId: {
    format: "<projectRef>/<directory>",
    whereFound: "the folder's path, relative to the program's folder",
    example: "migrations",
    unlisted: "its folder is known only to the program.",
    alsoDeclares: ["directory", "exclude"],
    parse(importId) {
      const [, ref, directory] = /^([^/]+)\/(.+)$/s.exec(importId) ?? [];
      return ref === undefined || directory === undefined
        ? undefined
        : { id: ref, inputs: { projectRef: ref, directory } };
    },
  },
  adoption:
    "A create takes over the migrations of the folder that are in the history and applies the rest. If a database has tables and its history has none of the files, it asks for `baseline`. An import reads the history through the query endpoint.",
  problems,
  check: checkFolder,

  diff(state, declared) {
    const wanted = readChangedFolder(state, declared);
    if (wanted === undefined) return {};
    const known = readKnown(state);
    const found = lookUpInState(wanted, known);
    const former = [...findFormerEntries(wanted.all, known).values()];
    const isThere = (entry: MigrationEntry): boolean =>
      former.includes(entry) || wanted.all.some((one) => one.version === entry.version);
    const removed = known.migrations.filter((entry) => entry.sha256 !== undefined && !isThere(entry));
    const reasons = [
      ...removed.map((one) => problems.removed.message({ file: formatMigration(one), ref: wanted.ref })),
      ...listRefusals(wanted, found),
    ];
    return {
      failures: reasons.map((reason) => ({ path: "directory", reason })),
      notes: listCountedFiles(wanted, found),
    };
  },

  plan: {
    covers: ["directory", "migrations"],
    describe(state, declared) {
      const wanted = readPlannedFolder(declared);
      if (wanted === undefined) return [];
      if (state === undefined) {
        const all = wanted.all.filter((one) => isDeclared(wanted, one)).map(({ label }) => formatName(label));
        const what = wanted.ref === "" ? "pending" : "pending, unless the history or `baseline` has them";
        return formatPlanLine(what, all);
      }
      const seen = lookUpInState(wanted, readKnown(state));
      const isLost = parseBookkeeping(state).__lost !== undefined;
      const lines = [
        ...formatPlanLine(
          isLost ? "pending, unless the history or `baseline` has them" : "pending",
          listToApply(wanted, seen).map(({ label }) => formatName(label)),
        ),
        ...formatPlanLine(
          "will roll back",
          listToTakeBack(wanted, seen).map(({ migration }) => formatName(migration.label)),
        ),
      ];
      const isRecorded = isDeepStrictEqual(state.migrations, declared.migrations);
      return lines.length > 0 || isRecorded
        ? lines
        : ["only the record of the migrations changes: nothing runs"];
    },
  },

  async read(ctx, { state }) {
    const projectRef = requireProjectRef(state);
    const history = openHistory(ctx, projectRef, state.appliedVia ?? state.via);
    const recorded = await history.list();
    const { directory, accept = [] } = state;
    const known = readKnown(state);
    // Without outputs nothing was seen yet: what is adopted or imported is compared with the folder.
    const isNew = state.appliedVia === undefined && directory !== undefined;
    // An import declares what the folder has besides migrations.
    const exclude = isNew ? (state.exclude ?? listMisnamedFiles(directory)) : state.exclude;
    const seen = isNew
      ? await lookUpHistory(
          history,
          recorded,
          readDeclared({ ...state, projectRef, directory, exclude }),
          NOTHING_KNOWN,
        )
      : await findEntries(history, recorded, known, accept);
    const old = listAcknowledged(known);
    const isLost = listOwnVersions(known).length > 0 && listOwnVersions(seen).length === 0;
    const own = { ...parseBookkeeping(state), ...(isLost ? { __lost: listOwnVersions(known) } : {}) };
    const { inputs: shown, outputs } = describeMigrations(
      history,
      seen,
      seen.others.filter(({ version }) => !old.has(version)),
      own,
    );
    const excluded = exclude === undefined || exclude.length === 0 ? {} : { exclude: [...exclude] };
    return { inputs: { ...shown, ...excluded, projectRef }, outputs };
  },

  // It only looks: a database that was built on without these migrations is refused before anything is written.
  async create(ctx, declared) {
    const { projectRef: id, via, baseline } = declared;
    const history = openHistory(ctx, id, via);
    const wanted = readDeclaredAsShown(declared);
    const { __baseline: decided } = parseBookkeeping(ctx.ledger.kept);
    const had =
      decided === undefined
        ? await findBaseline(ctx, history, wanted, baseline)
        : wanted.all.filter(({ version }) => decided.includes(version));
    const found = await readAppliedSoFar(ctx, history, wanted, { known: NOTHING_KNOWN, covered: had });
    warnOfOthers(ctx, wanted, { found, known: NOTHING_KNOWN });
    const __baseline = had.map(({ version }) => version);
    return { id, ...describeMigrations(history, found, [], { ...hashFolder(declared), __baseline }) };
  },

  async settle(ctx, { id, state, inputs: declared }) {
    const { projectRef, via, baseline } = declared;
    const history = openHistory(ctx, projectRef, via);
    const wanted = readDeclaredAsShown(declared);
    const known = readKnown(state);
    const recorded = await callWhenReady(ctx, projectRef, ["db"], () => history.list());
    const { __baseline: before, __lost: noticed } = parseBookkeeping(state);
    const lost = await findLostVersions(ctx, recorded, wanted, known, noticed);
    // What a run that died has decided is gone on with. What was decided of a history that is lost says nothing of the database as it is now.
    const decided = parseBookkeeping(ctx.ledger.kept).__baseline ?? (lost.length > 0 ? undefined : before);
    // What is imported, adopted or gone on with was not looked at by a create.
    const versions =
      decided ?? (await findBaseline(ctx, history, wanted, baseline, lost)).map((one) => one.version);
    if (versions.length > 0) ctx.ledger.keep(id, { __baseline: versions });
    await recordBaseline(ctx, history, wanted, { versions, recorded });
    if (versions.length > 0) ctx.ledger.keep(id, { __baseline: [] });
    // Once recorded, it is as any other migration: what others take back later is applied again.
    const own = { ...hashFolder(declared), __baseline: [] };
    const kept = listStrangers(declared.migrations);
    return applyMigrations(ctx, history, wanted, { known, kept, bookkeeping: own });
  },

  async update(ctx, { state, inputs: declared }) {
    const { projectRef, via, baseline } = declared;
    const history = openHistory(ctx, projectRef, via);
    // The folder counts as seen once the history was: settling records its hash.
    const own = parseBookkeeping(state);
    // Of one that stays in the program, the create has done what it says.
    const isNew = baseline !== undefined && baseline !== state.baseline && own.__baseline?.length === 0;
    if (isNew) {
      const wanted = readDeclaredAsShown(declared);
      requireEffect(
        wanted,
        await lookUpHistory(history, await history.list(), wanted, readKnown(state)),
        baseline,
      );
    }
    const kept = listStrangers(declared.migrations);
    const known = readKnown(state);
    const old = listAcknowledged(known);
    // What only a refresh has shown is told of when the history is looked at.
    const others = known.others.filter(
      ({ version }) => old.has(version) || kept.some((one) => one.version === version),
    );
    return describeMigrations(history, { ...known, others }, kept, own);
  },

  delete(ctx, { id }) {
    ctx.warn(problems.schemaStays.message({ ref: id }));
    return Promise.resolve();
  },
});

type MigrationSetBookkeeping = z.output<typeof bookkeeping>;

/** The bookkeeping within a state. */
function parseBookkeeping(state: object): MigrationSetBookkeeping {
  return bookkeeping.catch({}).parse(state);
}

/** What is declared, where it is known and another than what was declared last: a refresh compares as well, and must not fail. */
function readChangedFolder(
  state: object,
  declared: Partial<z.output<typeof inputs>>,
): ReturnType<typeof readDeclared> | undefined {
  const { projectRef, directory, migrations } = declared;
  if (projectRef === undefined || directory === undefined || migrations === undefined) return undefined;
  if (parseBookkeeping(state).__folder === hashFolder(declared).__folder) return undefined;
  return readDeclared({ ...declared, projectRef, directory });
}

/** What a plan says of files that count as applied by a row of others, or may. */
function listCountedFiles(
  { ref, accept }: DeclaredMigrations,
  { counted, doubted, renamed }: HistoryFindings,
): string[] {
  const toMessageFields = ({ row, file }: HistoryFindings["counted"][number]) => ({
    ...{ file: file.label, ref, rowVersion: row.version, name: row.name ?? "" },
  });
  return [
    ...counted
      .filter(({ file }) => !accept.includes(file.version))
      .map((one) => problems.countsAsApplied.message(toMessageFields(one))),
    ...renamed.map((one) => problems.countsAsRenamed.message(toMessageFields(one))),
    ...doubted
      .filter(({ doubt }) => doubt === "unseen")
      .map((one) => problems.mayCount.message(toMessageFields(one))),
  ];
}

/** What a plan is about; the project may be one that is made. */
function readPlannedFolder(
  declared: Partial<z.output<typeof inputs>>,
): ReturnType<typeof readDeclared> | undefined {
  const { projectRef = "", directory, migrations } = declared;
  if (directory === undefined || migrations === undefined) return undefined;
  try {
    return readDeclared({ ...declared, projectRef, directory });
  } catch (error) {
    // The folder has changed since the check, which the update refuses.
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

/** The hash of what is declared. */
function hashFolder(declared: {
  readonly migrations?: readonly MigrationEntry[] | undefined;
  readonly rollbackTo?: string | undefined;
}): { readonly __folder: string } {
  const { migrations = [], rollbackTo } = declared;
  const ours = migrations.filter((one) => one.sha256 !== undefined);
  const listed = ours.map(({ version, name, sha256 }) => [version, name, sha256]);
  return { __folder: sha256(JSON.stringify([listed, rollbackTo])) };
}
