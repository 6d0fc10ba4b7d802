import { join } from "node:path";
import type { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import { field, type SampleOf } from "../sample";
import { forgetMigrations, migrated } from "./database-look";

const folder = (name: string): string => join(__dirname, "migration-files", name);

export const sample: SampleOf<typeof migrationSet> = {
  type: "MigrationSet",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, directory: folder("first") }),
  changed: (projectRef) => ({ projectRef, directory: folder("second") }),
  isIrreversible: true,
  importId: (projectRef) => `${projectRef}/${folder("first")}`,
  onService: migrated,
  // Each was applied once.
  isChanged: (shown) =>
    String(field(shown, "history")) === "create_notes,first_note" &&
    String(field(shown, "notes")) === "first",
  cleanUp: forgetMigrations,
};
