import { migration } from "../../../provider/resources/database/migration/migration";
import { UNKNOWN } from "../../../provider/define/unknown";
import type { Values } from "../../../provider/define/values";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { migrated, queried } from "../../../tools/fixtures/database-look";
import { fixture as sample } from "../../../tools/fixtures/database/migration";

let scenario: Scenario;
let migrations: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  migrations = scenario.manage(migration);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ ...sample.inputs(ref), via: "migrations", ...more });
const applied = [{ history: ["20260101000000_first_note"], notes: ["first"] }];
const notes = async (): Promise<unknown[]> =>
  (await queried(scenario, ref, "select body from notes")).map(({ body }) => body);

it("is recorded by the operations of migrations with its new rollback, and left behind with a warning", async () => {
  const made = await migrations.create(declared());
  expect(made.id).toBe("20260101000000");
  expect(made.state).toMatchObject({ appliedVia: "migrations" });
  expect(await migrated(scenario, ref)).toEqual(applied);
  scenario.nextRun();
  const read = await migrations.read(made);
  expect(migrations.diff(read?.state ?? {}, declared()).changes).toBe(false);
  const updated = await migrations.update(made, { ...sample.changed(ref), via: "migrations" });
  const [{ version } = { version: "" }] = await scenario.emulator.control.call("listMigrations", { ref });
  const { rollback } = await scenario.emulator.control.call("getMigration", { ref, version });
  expect(rollback).toEqual(["delete from notes"]);
  scenario.nextRun();
  await migrations.delete(updated);
  expect(await migrated(scenario, ref)).toEqual(applied);
  expect(scenario.warnings.join()).toContain("and its migration history stay");
});

it.each([
  ["version", "20270101000000", "20260101000000_first_note was applied to"],
  ["name", "second_note", "20260101000000_second_note was applied to"],
  ["query", "select 2", "with different content: restore"],
])("refuses in the preview another %s", async (name, value, message) => {
  const made = await migrations.create(declared());
  expect(() => migrations.diff(made.state, declared({ [name]: value }))).toThrow(message);
  await expect(migrations.update(made, declared({ [name]: value }))).rejects.toThrow(message);
  expect(await migrated(scenario, ref)).toEqual(applied);
});

it("is taken over where the history has it, and refused where that was another query", async () => {
  await migrations.create(declared());
  scenario.nextRun();
  await migrations.create(declared({ __owner: SOMEBODY }));
  expect(await migrated(scenario, ref)).toEqual(applied);
  await expect(migrations.create(declared({ __owner: SOMEBODY, query: "select 2" }))).rejects.toThrow(
    "with different content",
  );
});

it("is adopted with its own query only", async () => {
  await migrations.create(declared());
  scenario.nextRun();
  const adopted = declared({ __owner: SOMEBODY, adoptId: "20260101000000" });
  await expect(migrations.create({ ...adopted, query: "select 2" })).rejects.toThrow(
    "with different content",
  );
  scenario.nextRun();
  await migrations.create(adopted);
  expect(await migrated(scenario, ref)).toEqual(applied);
});

it("that fails is neither there nor in the state", async () => {
  const failure = await migrations.create(declared({ query: "select 1/0" })).catch((error: unknown) => error);
  expect(String(failure)).toContain(
    `20260101000000_first_note, line 1, failed on ${ref} and was rolled back`,
  );
  expect(failure).not.toHaveProperty("state");
  expect(await migrated(scenario, ref)).toEqual([]);
});

it("that others took back is gone, and is applied again", async () => {
  const made = await migrations.create(declared());
  const [row] = await scenario.emulator.control.call("listMigrations", { ref });
  await scenario.emulator.control.call("rollbackMigrations", { ref, gte: row?.version ?? "" });
  scenario.nextRun();
  expect(await migrations.read(made)).toBeUndefined();
  await migrations.create(declared());
  expect(await migrated(scenario, ref)).toEqual(applied);
});

it.each(["migrations", "query"])("is taken back on delete via %s where that is declared", async (via) => {
  const inputs = declared({ via, rollback: "delete from notes;", rollbackOnDelete: true });
  const made = await migrations.create(inputs);
  scenario.nextRun();
  await migrations.delete(made);
  await migrations.delete(made);
  expect(await notes()).toEqual([]);
  scenario.nextRun();
  expect(await migrations.read(made)).toBeUndefined();
});

it("is not taken back where another one was applied after it", async () => {
  const made = await migrations.create(declared({ rollbackOnDelete: true }));
  await migrations.create(
    declared({ __owner: SOMEBODY, version: "20260102000000", name: "later", query: "select 1" }),
  );
  scenario.nextRun();
  await expect(migrations.delete(made)).rejects.toThrow(/Nothing was rolled back.*later/);
  expect(await notes()).toEqual(["first"]);
});

it("goes from one history to the other without being applied again", async () => {
  const made = await migrations.create(declared());
  scenario.nextRun();
  const moved = await migrations.update(made, declared({ via: "query" }));
  expect(moved.state).toMatchObject({ appliedVia: "query" });
  scenario.nextRun();
  const read = await migrations.read(moved);
  expect(migrations.diff(read?.state ?? {}, declared({ via: "query" })).changes).toBe(false);
  expect(await notes()).toEqual(["first"]);
});

it("is judged before any call", () => {
  const failures = migrations.failures(
    declared({
      ...{ projectRef: UNKNOWN, via: "query", query: "begin; select 1" },
      ...{ rollback: undefined, rollbackOnDelete: true, accept: ["1"] },
    }),
  );
  expect(failures).toEqual([
    expect.stringContaining("query: 20260101000000_first_note, line 1, has `"),
    expect.stringContaining("accept[0]: 1 is not the version of this migration"),
    expect.stringContaining("rollbackOnDelete: `rollbackOnDelete` requires `rollback`"),
  ]);
});
