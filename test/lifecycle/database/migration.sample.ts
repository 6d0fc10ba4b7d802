import type { migration } from "../../../provider/resources/database/migration/migration";
import { field, type SampleOf } from "../sample";
import { forgetMigrations, migrated, tableRows } from "./database-look";

const one = (projectRef: string) => ({
  projectRef,
  version: "20260101000000",
  name: "first_note",
  query: "create table if not exists notes (body text);\ninsert into notes (body) values ('first');",
});

export const sample: SampleOf<typeof migration> = {
  type: "Migration",
  needsProject: true,
  isInDatabase: true,
  inputs: (projectRef) => ({ ...one(projectRef), rollback: "drop table notes;" }),
  changed: (projectRef) => ({ ...one(projectRef), rollback: "delete from notes;" }),
  onService: async (scenario, ref) => {
    const [ours] = (await tableRows(scenario, ref, "svc_migrations.management_migrations")) ?? [];
    return (await migrated(scenario, ref)).map((shown) => ({ shown, rollback: ours?.["rollback"] }));
  },
  // Applied once, in spite of the change.
  isChanged: (shown) =>
    String(field(shown, "rollback")) === "delete from notes;" &&
    JSON.stringify(field(shown, "shown")) === JSON.stringify({ history: ["first_note"], notes: ["first"] }),
  cleanUp: forgetMigrations,
};
