import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readAppliedMigrations } from "../../import/applied-migrations";
import { startScenario, type Scenario } from "../kit/scenario";
import { temporaryFolder } from "../kit/temporary-folder";

// What a team applied from files that nobody has any more.

let scenario: Scenario;
let folder: string;
beforeEach(async () => {
  scenario = await startScenario();
  folder = temporaryFolder("management-import-");
});
afterEach(async () => {
  await scenario.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (ref: string) => readAppliedMigrations(scenario.runtime, ref, folder);

async function query(ref: string, sql: string): Promise<void> {
  await scenario.emulator.control.call("runQuery", { ref, body: { query: sql } });
}

it("writes each migration of the history as a file with its statements", async () => {
  const ref = scenario.healthyProject();
  const sql = "create table a (b int);\ninsert into a values (1)";
  await scenario.emulator.control.call("applyMigration", { ref, body: { name: "create a", query: sql } });
  const { folder: written, notes } = await read(ref);
  expect({ written, notes }).toEqual({ written: "migrations", notes: [] });
  const [file = "", ...others] = readdirSync(join(folder, "migrations"));
  expect(others).toEqual([]);
  expect(file).toMatch(/^\d{14}_create a\.sql$/);
  const text = readFileSync(join(folder, "migrations", file), "utf8");
  expect(text).toContain("create table a (b int);\n");
  expect(text).toContain("insert into a values (1);\n");
});

it("uses a folder that is there as it is", async () => {
  const ref = scenario.healthyProject();
  mkdirSync(join(folder, "migrations"));
  expect(await read(ref)).toEqual({ folder: "migrations", notes: [] });
  expect(scenario.calls("runReadOnlyQuery")).toBe(0);
});

it("writes nothing for a database without a history", async () => {
  expect(await read(scenario.healthyProject())).toEqual({ notes: [] });
  expect(existsSync(join(folder, "migrations"))).toBe(false);
});

it("names what has no file: a name that leads out of the folder, and a row without its SQL", async () => {
  const ref = scenario.healthyProject();
  await query(
    ref,
    "create schema svc_migrations; create table svc_migrations.schema_migrations (version text primary key, statements text[], name text); " +
      "insert into svc_migrations.schema_migrations values ('1', '{select 1}', '../../out'), ('2', null, 'lost'), ('3', '{select 3}', 'kept')",
  );
  const { notes } = await read(ref);
  expect(notes).toEqual([
    "The migration 1 (../../out) has no name of a file, so it is not in the program.",
    "The history has no SQL of the migration 2_lost, so it is not in the program.",
  ]);
  expect(readdirSync(join(folder, "migrations"))).toEqual(["3_kept.sql"]);
});

it("says why nothing could be read, and leaves the rest of the import to go on", async () => {
  const ref = scenario.healthyProject();
  scenario.emulator.control.addFault({ operation: "runReadOnlyQuery", status: 403, times: 20 });
  const { folder: written, notes } = await read(ref);
  expect(written).toBeUndefined();
  expect(notes).toEqual([expect.stringContaining("could not be read: ")]);
});
