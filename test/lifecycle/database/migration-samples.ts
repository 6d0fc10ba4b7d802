import type { Values } from "../../../provider/define/values";
import type { MigrationVia } from "../../../provider/resources/database/shared/migration-history";
import { field } from "../../../tools/fixtures/fixture";
import type { Sample } from "../../kit/samples";
import { forgetMigrations, queried, tableRows } from "../../../tools/fixtures/database-look";
import {
  fixture as migrationSet,
  migrationFolder as folder,
} from "../../../tools/fixtures/database/migration-set";

// Samples of migration sets beside the one that every enumeration has.

export { folder };

export interface Change {
  readonly before: Values;
  readonly after: Values;
  readonly rows: readonly string[];
}

/** A set whose files fill the table `notes`. */
export const sampleWith = (via: MigrationVia, { before, after, rows }: Change): Sample => ({
  ...migrationSet,
  inputs: (projectRef) => ({ projectRef, via, ...before }),
  changed: (projectRef) => ({ projectRef, via, ...after }),
  onService: async (scenario, ref) => {
    const notes = await tableRows(scenario, ref, "notes");
    return notes === undefined ? [] : [{ notes: notes.map(({ body }) => String(body)).sort() }];
  },
  isChanged: (shown) => JSON.stringify(field(shown, "notes")) === JSON.stringify(rows),
  cleanUp: forgetMigrations,
});

/** An index that is built outside of a transaction, so that its row of the history comes after it. */
export const indexed = (via: MigrationVia): Sample => {
  const shown = { before: { directory: folder("first") }, after: { directory: folder("index") }, rows: [] };
  const sample = sampleWith(via, shown);
  const state =
    "select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass('notes') order by 1";
  return {
    ...sample,
    onService: async (scenario, ref) => {
      if ((await tableRows(scenario, ref, "notes")) === undefined) return [];
      const indexes = await queried(scenario, ref, state);
      const rows = await tableRows(scenario, ref, "svc_migrations.schema_migrations");
      return [{ indexes, recorded: rows?.length }];
    },
    isChanged: (seen) =>
      JSON.stringify(field(seen, "indexes")) === '[{"name":"notes_body","valid":true}]' &&
      field(seen, "recorded") === 3,
  };
};
