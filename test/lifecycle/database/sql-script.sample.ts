import type { sqlScript } from "../../../provider/actions/database/sql-script";
import { field, type SampleOf } from "../sample";
import { tableRows } from "./database-look";

const inputs = (projectRef: string) => ({
  projectRef,
  name: "notes",
  query:
    "create table if not exists script_notes (body text);\ninsert into script_notes values ('ran') returning body;",
  onDelete: "drop table script_notes;",
});

export const sample: SampleOf<typeof sqlScript> = {
  type: "SqlScript",
  needsProject: true,
  isInDatabase: true,
  replacedBy: [],
  inputs,
  changed: inputs,
  onService: async (scenario, ref) => {
    const notes = await tableRows(scenario, ref, "script_notes");
    return notes === undefined ? [] : [{ notes: notes.map(({ body }) => body) }];
  },
  // Run once, whatever happened.
  isChanged: (shown) => JSON.stringify(field(shown, "notes")) === '["ran"]',
};
