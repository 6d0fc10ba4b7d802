import { z } from "zod";
import { entriesOf, lookedUp, migrationEntry } from "../../../converge/migration-entries";
import { DEFAULT_VIA, migrationVia } from "../../../converge/migration-history";
import { historyOf } from "../../../converge/migration-histories";
import { refusals } from "../../../converge/migration-rules";
import {
  appliedSoFar,
  bringMigrations,
  migrationsSeen,
  recordInstead,
} from "../../../converge/migration-run";
import { computed, formed, local } from "../../../define/markers";
import { projectOf } from "../../../define/project-of";
import { defineResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { conditionalCalls } from "./conditional-calls";
import { problems } from "./problems";
import { bookkeeping, bookkeepingOf, bookkeepingIn } from "./bookkeeping";
import { checkFolder, wantedAsShown, wantedOf } from "./wanted";

const inputs = z.strictObject({
  projectRef,
  directory: local(
    z
      .string()
      .min(1)
      .describe(
        "Folder of the migrations, relative to the program's folder: `<version>_<name>.sql` with a version of digits, and, where one can be taken back, `<version>_<name>.down.sql`. Each is a regular file of at most 20 MiB, or a link to one of the folder.",
      ),
  ),
  via: migrationVia
    .describe(
      `By which endpoint migrations are applied; \`${DEFAULT_VIA}\` if omitted. \`migrations\` is open to selected OAuth applications only. \`query\` applies each file in one transaction with its row in the table \`management.migrations\`. A change takes over what was applied without applying it again.`,
    )
    .optional(),
  rollbackTo: local(
    formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000").describe(
      "Version of the last migration that is to be applied; `0` for none. Later ones are taken back, newest first, and not applied while it is set.",
    ),
  ).optional(),
  migrations: computed(
    z.array(migrationEntry).describe("Migrations of the folder that are to be applied, by version."),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  appliedVia: migrationVia.describe("By which endpoint the migrations were applied.").optional(),
  latestVersion: z.string().describe("Version of the latest migration that is applied.").optional(),
});

/** A folder of migrations, each applied once and in order. */
export const migrationSet = defineResource({
  type: "MigrationSet",
  description:
    "Applies a folder of migrations to the database of a project or branch, in the order of their versions and each once, whoever runs and whatever is interrupted. A preview lists what is pending, and refuses a file that was applied and then changed, renamed or removed, or that comes before one that was applied. A refresh shows as drift what others applied or took back. Deleting the resource leaves the schema, with a warning. A project has one `MigrationSet`, or any number of `Migration`s.",
  inputs,
  outputs,
  bookkeeping,
  timeouts: { create: 3600, update: 3600, delete: 300 },
  isRepeatable: true,
  releasesRemovedInputs: true,
  uniqueBy: [],
  manages: { collection: "migrations", extent: "whole" },
  importId: {
    format: "<projectRef>/<directory>",
    whereFound: "the folder's path, relative to the program's folder",
    example: "migrations",
    unlisted: "its import id names a folder, which only the program has.",
    takesOver: ["directory"],
    parse(importId) {
      const [, ref, directory] = /^([^/]+)\/(.+)$/s.exec(importId) ?? [];
      return ref === undefined || directory === undefined
        ? undefined
        : { id: ref, inputs: { projectRef: ref, directory } };
    },
  },
  adoption:
    "A create takes over what the history already has of the folder, and applies the rest. An import reads the history by the migrations endpoint.",
  problems,
  conditionalCalls,
  check: checkFolder,

  refuses(state, declared) {
    const { projectRef: ref, directory, rollbackTo, migrations } = declared;
    if (ref === undefined || directory === undefined || migrations === undefined) return [];
    // A refresh compares as well: what others did is no edit of the folder, and must not make it fail.
    if (bookkeepingIn(state).__folder === bookkeepingOf(declared).__folder) return [];
    const wanted = wantedOf({ projectRef: ref, directory, rollbackTo });
    return refusals(wanted, state.migrations ?? []).map((reason) => ({ path: "directory", reason }));
  },

  async read(ctx, { state }) {
    const projectRef = projectOf(state);
    const history = historyOf(ctx, projectRef, state.appliedVia ?? state.via);
    const recorded = await history.list();
    const { directory } = state;
    // Without outputs nothing was seen yet: what is adopted or imported is compared with the folder.
    const isNew = state.appliedVia === undefined && directory !== undefined;
    const migrations = isNew
      ? await lookedUp(history, recorded, wantedOf({ projectRef, directory }).all, [])
      : entriesOf(recorded, state.migrations ?? []);
    const { inputs: seen, outputs } = migrationsSeen(history, migrations, bookkeepingIn(state));
    return { inputs: { ...seen, projectRef }, outputs };
  },

  async create(ctx, declared) {
    const { projectRef: id, via } = declared;
    const history = historyOf(ctx, id, via);
    const applied = await appliedSoFar(ctx, history, wantedAsShown(declared), []);
    return { id, ...migrationsSeen(history, applied, bookkeepingOf(declared)) };
  },

  settle(ctx, { state: { migrations = [] }, inputs: declared }) {
    const history = historyOf(ctx, declared.projectRef, declared.via);
    return bringMigrations(ctx, history, wantedAsShown(declared), migrations, bookkeepingOf(declared));
  },

  async update(ctx, { state: { appliedVia, migrations = [] }, inputs: declared }) {
    const history = historyOf(ctx, declared.projectRef, declared.via);
    if (appliedVia !== undefined && appliedVia !== history.via)
      await recordInstead(ctx, history, wantedAsShown(declared), migrations);
    return migrationsSeen(history, migrations, bookkeepingOf(declared));
  },

  delete(ctx, { id }) {
    ctx.warn(problems.schemaStays.message({ ref: id }));
    return Promise.resolve();
  },
});
