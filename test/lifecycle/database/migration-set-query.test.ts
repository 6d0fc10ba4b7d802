import { resourceByType } from "../../../provider/by-name";
import { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import type { Values } from "../../../provider/lifecycle/state";
import { useSourceFolder } from "../functions/source-folder";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../scenario";
import { queried } from "./database-look";

// service, SQL: through the query endpoint, with a history in a table of its own.

const folder = useSourceFolder();
let scenario: Scenario;
let sets: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sets = scenario.manage(migrationSet);
  scenario.emulator.control.set("migrationPartners", ["somebody-else"]);
  folder.write({
    "1_create_notes.sql": "create table notes (body text);",
    "2_it's_first.sql": "insert into notes values ('first');",
    "2_it's_first.down.sql": "delete from notes where body = 'first';",
  });
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  directory: folder.path(),
  via: "query",
  ...more,
});
const history = async (): Promise<unknown[]> =>
  (
    await queried(scenario, ref, "select version || '_' || name as row from management.migrations order by 1")
  ).map(({ row }) => row);
const notes = async (): Promise<unknown[]> =>
  (await queried(scenario, ref, "select body from notes")).map(({ body }) => body);

it("goes through its life", async () => {
  const made = await sets.create(declared());
  expect(made.state).toMatchObject({ appliedVia: "query", latestVersion: "2" });
  expect([await history(), await notes()]).toEqual([["1_create_notes", "2_it's_first"], ["first"]]);
  expect(scenario.progress.join()).toContain("applying 1_create_notes.sql (1 of 2) via query");
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const read = await sets.read(made);
  expect(scenario.emulator.control.calls().map(({ operation }) => operation)).toEqual(["runReadOnlyQuery"]);
  expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(false);
  folder.write({ "3_second.sql": "insert into notes values ('second');" });
  const updated = await sets.update(made, declared());
  expect(await notes()).toEqual(["first", "second"]);
  scenario.nextRun();
  const back = await sets.update(updated, declared({ rollbackTo: "2" })).catch(String);
  expect(back).toContain("3_second.sql cannot be taken back");
  folder.write({ "3_second.down.sql": "delete from notes where body = 'second';" });
  await sets.update(updated, declared({ rollbackTo: "1" }));
  expect([await history(), await notes()]).toEqual([["1_create_notes"], []]);
  await sets.delete(updated);
  expect(await history()).toEqual(["1_create_notes"]);
});

describe("on a branch", () => {
  const branchOf = async (withData: boolean): Promise<string> => {
    const made = await scenario
      .manage(resourceByType("Branch"))
      .create({ projectRef: ref, branchName: "pr-7", withData });
    return String(made.state["ref"]);
  };

  it.each([false, true])("knows what was copied with its schema, with data: %j", async (withData) => {
    const production = await sets.create(declared());
    const branch = await branchOf(withData);
    folder.write({ "3_second.sql": "insert into notes values ('second');" });
    scenario.nextRun();
    const onBranch = declared({ projectRef: branch, __owner: SOMEBODY });
    const made = await sets.create(onBranch);
    expect(made.state).toMatchObject({ projectRef: branch, latestVersion: "3" });
    const bodies = await queried(scenario, branch, "select body from notes order by 1");
    expect(bodies.map(({ body }) => body)).toEqual(withData ? ["first", "second"] : ["second"]);
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, onBranch).changes).toBe(false);
    expect(await history()).toEqual(["1_create_notes", "2_it's_first"]);
    expect(production.state).toMatchObject({ latestVersion: "2" });
  });

  it("takes back what was copied with its schema", async () => {
    await sets.create(declared());
    const branch = await branchOf(false);
    scenario.nextRun();
    await sets.create(declared({ projectRef: branch, rollbackTo: "1", __owner: SOMEBODY }));
    const versions = await queried(scenario, branch, "select version from management.migrations");
    expect(versions).toEqual([{ version: "1" }]);
  });
});

it("reads a history that somebody else described in a comment", async () => {
  const made = await sets.create(declared());
  await queried(scenario, ref, "comment on table management.migrations is 'ours: do not touch'");
  await queried(scenario, ref, "truncate management.migrations");
  scenario.nextRun();
  const read = await sets.read(made);
  expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(true);
});

it("leaves neither an effect nor a row of a file that fails, and names its line", async () => {
  folder.write({ "2_it's_first.sql": "insert into notes values ('half');\ninsert into nowhere values (1);" });
  await expect(sets.create(declared())).rejects.toThrow("2_it's_first.sql, line 2, failed");
  expect([await history(), await notes()]).toEqual([["1_create_notes"], []]);
});

it("is applied once by two runners at once", async () => {
  const first = sets.create(declared());
  scenario.nextRun();
  await Promise.all([first, sets.create(declared({ __owner: SOMEBODY }))]);
  expect([await history(), await notes()]).toEqual([["1_create_notes", "2_it's_first"], ["first"]]);
});

it.each([{ drop: "after" }, { status: 500, after: true }, { drop: "before" }, { status: 503 }] as const)(
  "is applied and taken back once in spite of %j",
  async (fault) => {
    scenario.emulator.control.addFault({ operation: "runQuery", ...fault, times: 2 });
    const made = await sets.create(declared());
    expect(await notes()).toEqual(["first"]);
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "runQuery", ...fault });
    folder.write({ "2_it's_first.down.sql": "insert into notes values ('back');" });
    await sets.update(made, declared({ rollbackTo: "1" }));
    expect([await history(), await notes()]).toEqual([["1_create_notes"], ["first", "back"]]);
  },
);

it("refuses what was applied with other content by somebody else", async () => {
  await sets.create(declared());
  folder.write({ "2_it's_first.sql": "select 2;" });
  await expect(sets.create(declared({ __owner: SOMEBODY }))).rejects.toThrow("with other content");
});

it("refuses in the preview a file that begins or ends a transaction, or that cannot run in one", () => {
  folder.write({ "3_index.sql": "create index concurrently on notes (body);", "3_index.down.sql": "commit" });
  expect(sets.failures(declared())).toEqual([
    expect.stringContaining(
      "directory: 3_index.sql cannot run in one transaction with its row of the history, because of `create index concurrently on`",
    ),
    expect.stringContaining("3_index.down.sql cannot run in one transaction"),
  ]);
  expect(sets.failures(declared({ via: "migrations" }))).toEqual([]);
});

it.each([["query", "migrations"] as const, ["migrations", "query"] as const])(
  "goes from %s to %s without applying anything again",
  async (from, to) => {
    scenario.emulator.control.set("migrationPartners", null);
    const made = await sets.create(declared({ via: from }));
    scenario.nextRun();
    const moved = await sets.update(made, declared({ via: to }));
    expect(moved.state).toMatchObject({ appliedVia: to });
    expect(await notes()).toEqual(["first"]);
    scenario.nextRun();
    const read = await sets.read(moved);
    expect(sets.diff(read?.state ?? {}, declared({ via: to })).changes).toBe(false);
    expect(await history()).toEqual(["1_create_notes", "2_it's_first"]);
    expect(await scenario.emulator.control.call("listMigrations", { ref })).toHaveLength(2);
  },
);

it("goes to the default when it is taken out of the program", async () => {
  scenario.emulator.control.set("migrationPartners", null);
  const made = await sets.create(declared());
  const moved = await sets.update(made, declared({ via: undefined }));
  expect([moved.state["appliedVia"], await notes()]).toEqual(["migrations", ["first"]]);
});

it("names the other way where the token may not query", async () => {
  scenario.emulator.control.addFault({ operation: "runReadOnlyQuery", status: 403, message: "Forbidden" });
  await expect(sets.create(declared())).rejects.toThrow(/refuses the query endpoint.*leave `via` out/s);
});
