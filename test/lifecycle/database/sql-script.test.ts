import { sqlScript } from "../../../provider/actions/database/sql-script";
import { checkInputs } from "../../../provider/engine/check";
import { InitializationError } from "../../../provider/engine/step/errors";
import type { Values } from "../../../provider/define/values";
import { halfMadeBy } from "../half-made";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { queried, tableRows } from "../../../tools/fixtures/database-look";
import { field } from "../../../tools/fixtures/fixture";
import { fixture as sample } from "../../../tools/fixtures/database/sql-script";
import type { Declared } from "../../kit/model-engine";
import { Machine } from "../../kit/machine";
import { startPluginProcess } from "../../kit/plugin-process";
import { startProviderProcess } from "../../kit/provider-process";
import { OneResourceStack } from "../../adapters/one-resource-stack";

let scenario: Scenario;
let scripts: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  scripts = scenario.manage(sqlScript);
  await queried(scenario, ref, "create table log (body text)");
});
afterEach(() => scenario.close());

const LOG = "insert into log values ('ran') returning body;";
const declared = (more: Values = {}): Values => ({ projectRef: ref, name: "log", query: LOG, ...more });
const log = async (): Promise<unknown> => (await tableRows(scenario, ref, "log"))?.map(({ body }) => body);
const records = (): Promise<Record<string, unknown>[] | undefined> =>
  tableRows(scenario, ref, "svc_migrations.management_scripts");

it("keeps its result and its record until its own last script is run", async () => {
  const made = await scripts.create(
    declared({ onDelete: "insert into log values ('undone');", triggers: [1] }),
  );
  expect(made.state["result"]).toEqual([{ body: "ran" }]);
  expect(scenario.emulator.control.calls().map(({ operation }) => operation)).toContain("runQuery");
  expect(await records()).toEqual([expect.objectContaining({ name: made.id })]);

  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await scripts.read(made);
  // Where the records are, and what they say.
  expect(scenario.calls("runReadOnlyQuery")).toBe(2);
  const again = declared({ onDelete: "insert into log values ('undone');", triggers: [2] });
  expect(scripts.diff(made.state, again)).toMatchObject({
    replaces: ["triggers"],
    deleteBeforeReplace: true,
  });
  const other = declared({ onDelete: "insert into log values ('gone');", triggers: [1] });
  expect(scripts.diff(made.state, other)).toMatchObject({ changes: true, replaces: [] });
  const updated = await scripts.update(made, other);
  expect(updated.state["result"]).toEqual([{ body: "ran" }]);

  await scripts.delete(updated);
  await scripts.delete(updated);
  expect([await log(), await records()]).toEqual([["ran", "gone"], []]);
});

it("leaves what was done, and no record of it, where nothing is to undo it", async () => {
  const made = await scripts.create(declared());
  await scripts.delete(made);
  expect([await log(), await records()]).toEqual([["ran"], []]);
});

it("is not run where the database records a script of its name, whoever ran that", async () => {
  await scripts.create(declared());
  scenario.nextRun();
  await expect(scripts.create(declared({ __owner: SOMEBODY }))).rejects.toThrow("already exists");
  expect(await log()).toEqual(["ran"]);
});

describe("with `adopt`, where the record in the state was lost", () => {
  const adopting = (more: Values = {}): Values => declared({ adopt: true, triggers: [1], ...more });

  it("takes the run of this query for its own, undoes it in the end, and says that it has no result", async () => {
    await scripts.create(adopting());
    scenario.nextRun();
    const taken = await scripts.create(adopting({ __owner: SOMEBODY, onDelete: "delete from log;" }));
    expect(await log()).toEqual(["ran"]);
    expect(scenario.warnings.join()).toContain("`result` is missing");
    expect(taken.state["ranAt"]).toEqual(expect.any(String));
    scenario.nextRun();
    expect((await scripts.read(taken))?.state).toEqual(taken.state);
    await scripts.delete(taken);
    expect([await log(), await records()]).toEqual([[], []]);
  });

  it.each([
    ["another query", { query: "insert into log values ('other');" }],
    ["other triggers", { triggers: [2] }],
  ])("runs nothing where the record is of %s", async (_, other) => {
    await scripts.create(adopting());
    scenario.nextRun();
    const refused = scripts.create(adopting({ ...other, __owner: SOMEBODY }));
    await expect(refused).rejects.toThrow("a run named log of another query");
    expect(await log()).toEqual(["ran"]);
  });

  it("asks where a run outside of a transaction was begun, and nothing says whether it was done", async () => {
    const once = adopting({ query: "vacuum log", transaction: false });
    await scripts.create(once);
    await queried(scenario, ref, "update svc_migrations.management_scripts set finished_at = null");
    scenario.nextRun();
    await expect(scripts.create({ ...once, __owner: SOMEBODY })).rejects.toThrow("is unknown");
  });
});

it("is run once by two runners at once", async () => {
  const first = scripts.create(declared());
  scenario.nextRun();
  const both = await Promise.allSettled([first, scripts.create(declared({ __owner: SOMEBODY }))]);
  const reasons = both.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  expect(reasons).toEqual([expect.stringContaining("Another program has run a script named log on")]);
  expect(await log()).toEqual(["ran"]);
});

it.each([
  { drop: "after", times: 2 },
  { drop: "before", times: 3 },
  { status: 500, after: true },
  { status: 503, times: 2 },
] as const)("runs and is undone once in spite of %j", async (fault) => {
  scenario.emulator.control.addFault({ operation: "runQuery", ...fault });
  const made = await scripts.create(declared({ onDelete: "insert into log values ('undone');" }));
  expect(await log()).toEqual(["ran"]);
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "runQuery", ...fault });
  await scripts.delete(made);
  expect([await log(), await records()]).toEqual([["ran", "undone"], []]);
});

it("says that it has no result where the answer was lost", async () => {
  scenario.emulator.control.addFault({ operation: "runQuery", drop: "after" });
  const made = await scripts.create(declared());
  expect(made.state["result"]).toBeUndefined();
  expect(made.state["ranAt"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(await log()).toEqual(["ran"]);
});

it("runs again where a refresh finds its record gone, as after a restore", async () => {
  const made = await scripts.create(declared());
  await queried(scenario, ref, "drop schema svc_migrations cascade");
  scenario.nextRun();
  expect(await scripts.read(made)).toBeUndefined();
});

it("is not taken to be gone while the project is paused", async () => {
  const made = await scripts.create(declared());
  scenario.nextRun();
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.activity = { kind: "rest", since: project.createdAt, outcome: "INACTIVE" };
  });
  expect((await scripts.read(made))?.state).toEqual(made.state);
});

it("is not undone where it was undone otherwise", async () => {
  const made = await scripts.create(declared({ onDelete: "insert into log values ('undone');" }));
  await queried(scenario, ref, "delete from svc_migrations.management_scripts");
  scenario.nextRun();
  await scripts.delete(made);
  expect(await log()).toEqual(["ran"]);
});

it("leaves neither an effect nor a record of a script that fails, and names its line", async () => {
  const failing = scripts.create(declared({ query: `${LOG}\ninsert into nowhere values (1);` }));
  await expect(failing).rejects.toThrow(
    `The script, line 2, failed on ${ref}: it was rolled back (the service says: `,
  );
  await expect(failing).rejects.not.toBeInstanceOf(InitializationError);
  expect([await log(), await records()]).toEqual([[], undefined]);
  scenario.nextRun();
  await scripts.create(declared());
  expect(await log()).toEqual(["ran"]);
});

it("keeps its record where what undoes it fails", async () => {
  const made = await scripts.create(declared({ onDelete: "drop table nothing;" }));
  await expect(scripts.delete(made)).rejects.toThrow(/`onDelete`, line 1, failed on .*and was rolled back/s);
  expect(await records()).toHaveLength(1);
});

it("reads only, and records nothing, where it is asked to", async () => {
  const reading = declared({ query: "select body from public.log", readOnly: true });
  const made = await scripts.create(reading);
  expect(made.state["result"]).toEqual([]);
  await expect(scripts.create(declared({ readOnly: true }))).rejects.toThrow("failed");
  scenario.nextRun();
  expect((await scripts.read(made))?.state).toEqual(made.state);
  await scripts.delete(made);
  expect([await log(), await records()]).toEqual([[], undefined]);
});

describe("outside of a transaction", () => {
  const alone = (more: Values = {}): Values =>
    declared({ query: "create index concurrently log_body on log (body)", transaction: false, ...more });
  const isIndexed = async (): Promise<boolean> => (await tableRows(scenario, ref, "log_body")) !== undefined;
  const script = { operation: "runQuery", skip: 1 } as const;

  it("runs between two writes of its record", async () => {
    const made = await scripts.create(alone({ onDelete: "drop index log_body" }));
    expect(scenario.calls("runQuery")).toBe(3);
    expect(field((await records())?.[0], "finished_at")).not.toBeNull();
    await scripts.delete(made);
    expect(await records()).toEqual([]);
  });

  it("stops and asks where there was no answer, and runs again or not as it is told", async () => {
    scenario.emulator.control.addFault({ ...script, drop: "after" });
    const { id, state, message } = await halfMadeBy(scripts.create(alone()));
    expect(message).toContain(`Whether the script has run on ${ref} is unknown`);
    expect(message).toContain(`add \`adoptId: "${id}"\` to the resource. If not, change \`triggers\``);
    scenario.nextRun();
    expect(await scripts.read({ id, state })).toBeDefined();
    await expect(scripts.update({ id, state }, alone())).rejects.toThrow("is unknown");
    expect(scripts.diff(state, alone({ triggers: [2] })).replaces).toEqual(["triggers"]);
    const taken = await scripts.update({ id, state }, alone({ adoptId: id }));
    expect(scripts.diff(taken.state, alone()).changes).toBe(false);
    expect(field((await records())?.[0], "finished_at")).not.toBeNull();
  });

  it("forgets what the database refused", async () => {
    await expect(scripts.create(alone({ query: "vacuum nowhere" }))).rejects.toThrow(
      "statements before the failed one may have been executed",
    );
    expect([await records(), await isIndexed()]).toEqual([[], false]);
  });
});

it("takes a run as done whose record in the state was lost", async () => {
  const made = await scripts.create(declared());
  scenario.nextRun();
  const taken = await scripts.create(
    declared({ adoptId: made.id, onDelete: "insert into log values ('undone');" }),
  );
  expect(await log()).toEqual(["ran"]);
  await scripts.delete(taken);
  expect(await log()).toEqual(["ran", "undone"]);
});

it("refuses in the preview what cannot be recorded", () => {
  const index = "create index concurrently log_body on log (body)";
  expect(scripts.failures(declared({ query: index }))[0]).toContain(
    "query: line 1 cannot run in one transaction with its record, because of `create index concurrently log_body`: set `transaction: false`",
  );
  expect(scripts.failures(declared({ query: index, transaction: false }))).toEqual([]);
  expect(scripts.failures(declared({ onDelete: "vacuum log" }))[0]).toContain("onDelete: cannot run");
  expect(scripts.failures(declared({ onDelete: "commit" }))[0]).toContain(
    "onDelete: line 1 has `commit`, which does not pair",
  );
  const reading = declared({ readOnly: true, onDelete: "select 1", transaction: false });
  expect(scripts.failures(reading)).toHaveLength(2);
});

it("says what a token lacks that may not query", async () => {
  scenario.emulator.control.addFault({ operation: "runQuery", status: 403, message: "Forbidden" });
  await expect(scripts.create(sample.inputs(ref))).rejects.toThrow(
    /denied access to the query endpoint.*`database_read` and `database_write`/s,
  );
});

it("a script that only read is not run again, for writing, when `readOnly` is taken out", async () => {
  const script = { projectRef: ref, name: "count", query: "select 1 as one" };
  const made = await scripts.create({ ...script, readOnly: true });
  const updated = await scripts.update(made, script);
  scenario.nextRun();
  const read = await scripts.read(updated);
  expect(read?.state).toMatchObject({ result: [{ one: 1 }] });
  expect(scripts.diff(read?.state ?? {}, script).changes).toBe(false);
});

describe("an `onDelete` that is corrected together with its script", () => {
  let machine: Machine;
  beforeEach(() => {
    machine = new Machine(scenario);
  });
  afterEach(() => machine.leave());

  const program = (more: Values): Declared[] => [
    { name: "log", type: "SqlScript", inputs: () => declared({ onDelete: "delete from log;", ...more }) },
  ];
  const corrected = { onDelete: "delete from log where body = 'ran';" };
  const keep = (): Promise<unknown> => queried(scenario, ref, "insert into log values ('of others')");

  it.each<[title: string, more: Values]>([
    ["`query`", { query: "insert into log values ('again');" }],
    ["`triggers`", { triggers: [2] }],
  ])("undoes the former run as it is declared, with another %s", async (_, more) => {
    expect((await machine.up(program({}))).failures).toEqual([]);
    await keep();
    expect((await machine.up(program({ ...corrected, ...more }))).failures).toEqual([]);
    expect(await log()).toEqual(["of others", "query" in more ? "again" : "ran"]);
    expect((await machine.destroy()).failures).toEqual([]);
    expect(await log()).toEqual(["of others", ...("query" in more ? ["again"] : [])]);
  });

  it.each([
    ["dynamic", startProviderProcess],
    ["plugin", startPluginProcess],
  ] as const)("is known to the delete of a replacement through the %s adapter", async (_, start) => {
    const stack = new OneResourceStack(async () => start(scenario, "SqlScript"));
    expect(await stack.up(declared({ onDelete: "delete from log;" }))).toEqual({ does: "create" });
    await keep();
    const again = declared({ ...corrected, query: "insert into log values ('again');" });
    expect(await stack.up(again)).toEqual({ does: "replace" });
    expect(await log()).toEqual(["of others", "again"]);
    expect(await stack.up(again)).toEqual({ does: "same" });
    await stack.destroy();
    expect(await log()).toEqual(["of others", "again"]);
  });

  it("is no correction of a script of another name, nor where it is taken out", async () => {
    expect((await machine.up(program({ onDelete: "delete from log where body = 'ran';" }))).failures).toEqual(
      [],
    );
    await keep();
    const renamed = program({ name: "other", query: "select 1", onDelete: "delete from log;" });
    expect((await machine.up(renamed)).failures).toEqual([]);
    expect(await log()).toEqual(["of others"]);
    expect(
      (await machine.up(program({ name: "other", query: "select 2", onDelete: undefined }))).failures,
    ).toEqual([]);
    expect(await log()).toEqual([]);
  });

  it("is said in the preview, with the way to undo it as before, which does so", async () => {
    const before = declared({ onDelete: "delete from log where body = 'ran';" });
    const after = declared({ query: "insert into log values ('again');", onDelete: "delete from log;" });
    const { warnings } = checkInputs(sqlScript, after, before);
    expect(warnings).toEqual([
      expect.stringContaining("change the script first and `onDelete` in a later update"),
    ]);
    expect(checkInputs(sqlScript, { ...before, onDelete: "select 1" }, before).warnings).toEqual([]);
    expect(checkInputs(sqlScript, { ...after, onDelete: before["onDelete"] }, before).warnings).toEqual([]);
    const declaring = (inputs: Values): Declared[] => [
      { name: "log", type: "SqlScript", inputs: () => inputs },
    ];
    await machine.up(declaring(before));
    await keep();
    await machine.up(declaring({ ...after, onDelete: before["onDelete"] }));
    const { failures } = await machine.up(declaring(after));
    expect([failures, await log()]).toEqual([[], ["of others", "again"]]);
  });
});

describe("scripts of one name in two projects", () => {
  let machine: Machine;

  beforeEach(() => {
    machine = new Machine(scenario);
  });
  afterEach(() => machine.leave());

  it("undoes scripts of one name in each of their projects", async () => {
    const refs = [scenario.healthyProject("one"), scenario.healthyProject("other")];
    for (const ref of refs) await queried(scenario, ref, "create table log (body text)");
    const script = (projectRef: string, index: number): Declared => ({
      name: `script-${index}`,
      type: "SqlScript",
      inputs: () => ({
        ...{ projectRef, name: "log" },
        query: "insert into log values ('ran');",
        onDelete: "insert into log values ('undone');",
      }),
    });
    const program = refs.map(script);
    expect((await machine.up(program)).failures).toEqual([]);
    expect((await machine.up(program.slice(1))).failures).toEqual([]);
    expect((await machine.destroy()).failures).toEqual([]);
    const logs = await Promise.all(refs.map((ref) => tableRows(scenario, ref, "log")));
    expect(logs).toEqual(refs.map(() => [{ body: "ran" }, { body: "undone" }]));
    expect(machine.warnings).toEqual([]);
  });
});
