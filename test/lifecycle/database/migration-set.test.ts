import { mkdirSync, symlinkSync } from "node:fs";
import { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import { createResource } from "../../../provider/engine/create/create";
import { importResource } from "../../../provider/engine/import";
import type { Values } from "../../../provider/define/values";
import { useFifo } from "../functions/fifo";
import { useSourceFolder } from "../functions/source-folder";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { createBranchRef } from "../../kit/branch-ref";
import { queried } from "../../../tools/fixtures/database-look";

// service, Migrations: through the endpoint of the service's own history.

const folder = useSourceFolder();
const fifo = useFifo();
let scenario: Scenario;
let sets: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sets = scenario.manage(migrationSet);
  folder.write({
    "1_create_notes.sql": "create table notes (body text);",
    "1_create_notes.down.sql": "drop table notes;",
    "2_first.sql": "insert into notes values ('first');",
    "2_first.down.sql": "delete from notes where body = 'first';",
  });
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  directory: folder.path(),
  via: "migrations",
  ...more,
});
const history = async (): Promise<unknown[]> =>
  (await scenario.emulator.control.call("listMigrations", { ref })).map(({ name }) => name);
const notes = async (): Promise<unknown[]> =>
  (await queried(scenario, ref, "select body from notes")).map(({ body }) => body);
/** Writes files, and removes those without a text. */
function change(files: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) folder.remove(name);
    else folder.write({ [name]: text });
  }
}
const versionsIn = (values: Values | undefined): unknown[] | undefined =>
  (values?.["migrations"] as { version: string }[] | undefined)?.map(({ version }) => version);

it("is applied in order, changed by what is pending, and left behind with a warning", async () => {
  const made = await sets.create(declared());
  expect(made.state).toMatchObject({ appliedVia: "migrations", latestVersion: "2" });
  expect([await history(), await notes()]).toEqual([["1_create_notes", "2_first"], ["first"]]);
  expect(scenario.progress.filter((line) => line.includes("applying"))).toEqual([
    `MigrationSet of ${ref}: applying 1_create_notes.sql (1 of 2) via migrations`,
    `MigrationSet of ${ref}: applying 2_first.sql (2 of 2) via migrations`,
  ]);

  scenario.nextRun();
  const read = await sets.read(made);
  expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(false);

  folder.write({ "3_second.sql": "insert into notes values ('second');" });
  const { properties } = sets.diff(made.state, declared());
  expect(properties).toEqual([{ path: "migrations[2]", kind: "add", replaces: false }]);
  const updated = await sets.update(made, declared());
  expect([await notes(), updated.state["latestVersion"]]).toEqual([["first", "second"], "3"]);

  scenario.nextRun();
  await sets.delete(updated);
  await sets.delete(updated);
  expect(await notes()).toEqual(["first", "second"]);
  expect(scenario.warnings.join()).toContain(`the schema of ${ref} and its migration history stay`);
});

it("applies nothing again where the history has it already, whoever made the resource", async () => {
  await sets.create(declared());
  scenario.nextRun();
  const again = await sets.create(declared({ __owner: SOMEBODY }));
  expect(await notes()).toEqual(["first"]);
  expect(scenario.calls("applyMigration")).toBe(2);
  expect(sets.diff(again.state, declared()).changes).toBe(false);
});

it("is applied once by two runners at once", async () => {
  const first = sets.create(declared());
  scenario.nextRun();
  const second = sets.create(declared({ __owner: SOMEBODY }));
  await Promise.all([first, second]);
  expect([await history(), await notes()]).toEqual([["1_create_notes", "2_first"], ["first"]]);
});

it("stops at a file that fails, keeps what was applied, and goes on once it is corrected", async () => {
  folder.write({ "2_first.sql": "select 1;\ninsert into notes values (1/0);", "3_last.sql": "select 3;" });
  const failure = await sets.create(declared()).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/2_first\.sql failed on \w+ and was rolled back.*division by zero/s);
  const state = (failure as { state: Values }).state;
  expect(versionsIn(state)).toEqual(["1"]);
  folder.write({ "2_first.sql": "insert into notes values ('corrected');" });
  scenario.nextRun();
  const made = await sets.update({ id: ref, state }, declared());
  expect([await history(), await notes()]).toEqual([["1_create_notes", "2_first", "3_last"], ["corrected"]]);
  expect(versionsIn(made.state)).toEqual(["1", "2", "3"]);
});

describe("SQL files of the folder that have no version", () => {
  beforeEach(() => {
    folder.write({ "queries.sql": "select nothing;", "old_report.sql": "drop table notes;" });
  });

  it("are refused by their names, with `exclude`, which leaves them out", async () => {
    const refusals = sets.failures(declared());
    expect(refusals).toEqual([
      expect.stringContaining("old_report.sql does not have the name of a migration: rename it"),
      expect.stringMatching(/queries\.sql does not have .* If it is no migration, list it in `exclude`/),
    ]);
    const program = declared({ exclude: ["queries.sql", "old_report.sql"] });
    expect(sets.failures(program)).toEqual([]);
    const made = await sets.create(program);
    expect([await history(), await notes()]).toEqual([["1_create_notes", "2_first"], ["first"]]);
    expect(sets.diff(made.state, program)).toMatchObject({ changes: false });
  });

  it("are refused where `exclude` has an applied migration, and where it has no file", async () => {
    const made = await sets.create(declared({ exclude: ["queries.sql", "old_report.sql"] }));
    const more = declared({ exclude: ["queries.sql", "old_report.sql", "2_first.sql", "2_first.down.sql"] });
    scenario.nextRun();
    await expect(sets.update(made, more)).rejects.toThrow("2_first");
    expect(await notes()).toEqual(["first"]);
    expect(sets.failures(declared({ exclude: ["query.sql"] }))).toEqual([
      expect.stringContaining("exclude: the folder has no file query.sql"),
    ]);
  });

  it("are in `exclude` of what an import declares", async () => {
    const program = declared({ exclude: ["old_report.sql", "queries.sql"] });
    await sets.create({ ...program, via: "query" });
    scenario.nextRun();
    const found = await importResource(scenario.runtime, migrationSet, `${ref}/${folder.path()}`, true);
    expect(found?.inputs).toMatchObject({ exclude: ["old_report.sql", "queries.sql"] });
    expect(sets.failures(found?.inputs ?? {})).toEqual([]);
  });
});

it("names the line at which the database stopped", async () => {
  folder.write({ "2_first.sql": "select 1;\n\ninsert into nowhere values (1);" });
  await expect(sets.create(declared())).rejects.toThrow("2_first.sql, line 3, failed");
});

it.each<[string, Record<string, string | undefined>, RegExp]>([
  [
    "changed",
    { "2_first.sql": "select 2;" },
    /2_first\.sql was applied to \w+ with different content: restore/,
  ],
  [
    "renamed",
    { "2_first.sql": undefined, "2_first.down.sql": undefined, "2_other.sql": "select 1;" },
    /2_other\.sql was applied to \w+ as `first`: restore the name, or give/,
  ],
  [
    "slipped in before it",
    { "0_early.sql": "select 1;" },
    /0_early\.sql comes before 2_first, which was already applied to \w+: give it/,
  ],
])("refuses in the preview a file that was applied and %s", async (_how, files, message) => {
  const made = await sets.create(declared());
  change(files);
  scenario.emulator.control.clearCalls();
  expect(() => sets.diff(made.state, declared())).toThrow(message);
  expect(scenario.calls()).toBe(0);
  // A run without a state knows it by the history.
  await expect(sets.create(declared({ __owner: SOMEBODY }))).rejects.toThrow(message);
  expect(await notes()).toEqual(["first"]);
});

it("refuses in the preview that a file is missing which was applied", async () => {
  const made = await sets.create(declared());
  change({ "2_first.sql": undefined, "2_first.down.sql": undefined });
  expect(() => sets.diff(made.state, declared())).toThrow(
    /2_first was applied to \w+ and no longer exists: restore it/,
  );
});

it("does not take other line ends for a change", async () => {
  folder.write({ "1_create_notes.sql": "create table notes (\n  body text\n);\n" });
  const made = await sets.create(declared());
  folder.write({ "1_create_notes.sql": "create table notes (\r\n  body text\r\n);\r\n" });
  expect(sets.diff(made.state, declared()).changes).toBe(false);
});

it("shows as drift what others applied, and tells of it when it applies more", async () => {
  const made = await sets.create(declared());
  await scenario.emulator.control.call("applyMigration", {
    ref,
    body: { query: "select 9", name: "theirs" },
  });
  scenario.nextRun();
  const read = await sets.read(made);
  expect(sets.diff(read?.state ?? {}, declared()).properties).toEqual([
    { path: "migrations[2]", kind: "delete", replaces: false },
  ]);
  await sets.update({ id: ref, state: read?.state ?? {} }, declared());
  expect(scenario.warnings.join()).toMatch(/_theirs was applied to \w+ by others/);
});

it("applies again what others took back", async () => {
  const made = await sets.create(declared());
  const [, last] = await scenario.emulator.control.call("listMigrations", { ref });
  await scenario.emulator.control.call("rollbackMigrations", { ref, gte: last?.version ?? "" });
  scenario.nextRun();
  const read = await sets.read(made);
  expect(sets.diff(read?.state ?? {}, declared()).properties).toEqual([
    { path: "migrations[1]", kind: "add", replaces: false },
  ]);
  await sets.update({ id: ref, state: read?.state ?? {} }, declared());
  expect(await notes()).toEqual(["first"]);
});

describe("rollbackTo", () => {
  it("takes back what is later, by the rollbacks of the folder, and applies it again once it is left out", async () => {
    const made = await sets.create(declared());
    folder.write({ "2_first.down.sql": "delete from notes; insert into notes values ('taken back');" });
    const back = declared({ rollbackTo: "1" });
    expect(sets.diff(made.state, back).properties.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "add rollbackTo",
      "delete migrations[1]",
    ]);
    const updated = await sets.update(made, back);
    expect([await history(), await notes()]).toEqual([["1_create_notes"], ["taken back"]]);
    expect(updated.state["latestVersion"]).toBe("1");
    scenario.nextRun();
    expect(sets.diff((await sets.read(updated))?.state ?? {}, back).changes).toBe(false);
    await sets.update(updated, declared());
    expect(await notes()).toEqual(["taken back", "first"]);
  });

  it("is done once in spite of an answer that is lost", async () => {
    const made = await sets.create(declared());
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "rollbackMigrations", drop: "after" });
    await sets.update(made, declared({ rollbackTo: "0" }));
    expect(await history()).toEqual([]);
  });

  it("is refused where a file says not how, and where others applied more", async () => {
    const made = await sets.create(declared());
    await scenario.emulator.control.call("applyMigration", {
      ref,
      body: { query: "select 9", name: "theirs" },
    });
    scenario.nextRun();
    await expect(sets.update(made, declared({ rollbackTo: "1" }))).rejects.toThrow(
      /Nothing was rolled back.*theirs/,
    );
    expect(await notes()).toEqual(["first"]);
    folder.remove("2_first.down.sql");
    expect(() => sets.diff(made.state, declared({ rollbackTo: "1" }))).toThrow(
      "2_first.sql cannot be rolled back",
    );
    expect(sets.failures(declared({ rollbackTo: "7" }))).toEqual([
      "rollbackTo: no file has the version 7: set the version of a file, or `0` to roll back all",
    ]);
  });
});

it("names the other way where the endpoint is closed to the token", async () => {
  scenario.emulator.control.set("migrationPartners", ["somebody-else"]);
  await expect(sets.create(declared())).rejects.toThrow(
    /available to selected OAuth applications, and on some plans to personal tokens.*Omit `via`/s,
  );
});

it("applies to a branch, and not to its project", async () => {
  const branchRef = createBranchRef(scenario, ref);
  const made = await sets.create(declared({ projectRef: branchRef }));
  expect(await queried(scenario, branchRef, "select body from notes")).toEqual([{ body: "first" }]);
  expect(await history()).toEqual([]);
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(60 * 60_000);
  scenario.nextRun();
  expect(await sets.read(made)).toBeUndefined();
});

it("applies nothing where the folder changed after the preview", async () => {
  const inputs = sets.checked(declared());
  folder.write({ "3_last.sql": "select 3;" });
  await expect(createResource(scenario.runtime, migrationSet, inputs)).rejects.toThrow(
    "changed after the preview, so nothing was applied",
  );
  expect(await history()).toEqual([]);
});

describe("a file of the folder that is no regular file of it", () => {
  it.each<[string, (path: string) => void, RegExp]>([
    [
      "a link out of it",
      (path) => symlinkSync("/etc/passwd", path),
      /3_last\.sql cannot be read: it leads to .*passwd, outside/,
    ],
    ["a FIFO", (path) => fifo(path), /3_last\.sql cannot be read: it is not a regular file/],
    ["a folder", (path) => mkdirSync(path), /3_last\.sql cannot be read: it is a folder/],
    [
      "a link to nothing",
      (path) => symlinkSync("nowhere", path),
      /3_last\.sql cannot be read: it does not exist/,
    ],
  ])("is refused and not opened: %s", (_, make, message) => {
    make(folder.path("3_last.sql"));
    const [failure = "", ...others] = sets.failures(declared());
    expect(failure).toMatch(message);
    expect(others).toEqual([]);
  });

  it("may be a link to one within, and a rollback may not lead out either", async () => {
    folder.write({ "drafts/last": "insert into notes values ('linked');" });
    symlinkSync(folder.path("drafts/last"), folder.path("3_last.sql"));
    await sets.create(declared());
    expect(await notes()).toEqual(["first", "linked"]);
    symlinkSync("/etc/passwd", folder.path("3_last.down.sql"));
    expect(sets.failures(declared())[0]).toContain("3_last.down.sql cannot be read");
  });
});

it("refuses in the check a folder that lost all its migrations", async () => {
  const made = await sets.create(declared());
  for (const name of ["1_create_notes", "2_first"]) {
    folder.remove(`${name}.sql`);
    folder.remove(`${name}.down.sql`);
  }
  scenario.emulator.control.clearCalls();
  expect(sets.failures(declared(), made.state)).toEqual([
    expect.stringMatching(/^directory: .* no longer has any migration: correct the path/),
  ]);
  expect(sets.failures(declared())).toEqual([]);
  expect(scenario.calls()).toBe(0);
});
