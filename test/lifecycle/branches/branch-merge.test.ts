import { branchMerge } from "../../../provider/actions/branches/branch-merge";
import { InitializationError } from "../../../provider/lifecycle/errors";
import type { Values } from "../../../provider/lifecycle/state";
import { sqlScript } from "../../../provider/actions/database/sql-script";
import { createBranchRef } from "../../kit/branch-ref";
import { migrateByTool } from "../../../tools/engine/migrate-by-tool";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let merges: Managed;
let projectRef: string;
let branchRef: string;

beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  branchRef = createBranchRef(scenario, projectRef);
  merges = scenario.manage(branchMerge);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef, branchRef, ...more });
const migrate = (name: string): Promise<unknown> => {
  scenario.clock.advance(1_000);
  const body = { query: `create table ${name} (id int)`, name };
  return scenario.emulator.control.call("applyMigration", { ref: branchRef, body });
};
const historyOf = async (ref: string) => scenario.emulator.control.call("listMigrations", { ref });
/** The branch as it would be, were it made now. */
async function beginAsProduction(): Promise<void> {
  await scenario.emulator.control.call("resetBranch", { branch_id_or_ref: branchRef, body: {} });
  scenario.clock.advance(10 * 60_000);
}
const runs = () =>
  [...scenario.emulator.world.state.branches.values()]
    .flatMap((branch) => branch.runs)
    .filter(({ kind }) => kind === "merge");

it("runs one action, follows it to its end, and is not undone", async () => {
  await migrate("a");
  const made = await merges.create(declared());
  expect(runs().map(({ id }) => id)).toEqual([made.id]);
  const began = new Date(runs()[0]?.since ?? 0).toISOString();
  expect(made.state).toMatchObject({ runId: made.id, ranAt: began });
  expect(await historyOf(projectRef)).toHaveLength(1);
  expect(scenario.progress.join("\n")).toContain(`waiting for the action run ${made.id}: clone is RUNNING`);

  expect(merges.diff(made.state, declared({ triggers: ["1.4.1"] }))).toMatchObject({
    replaces: ["triggers"],
    deleteBeforeReplace: false,
  });
});

it("merges up to a version", async () => {
  await migrate("a");
  await migrate("b");
  const [first] = await historyOf(branchRef);
  const upTo = { migrationVersion: first?.version };
  const made = await merges.create(declared(upTo));
  expect(await historyOf(projectRef)).toEqual([first]);
  expect(merges.diff(made.state, declared({ migrationVersion: "2" })).replaces).toEqual(["migrationVersion"]);
});

it("is begun once where the answer got lost", async () => {
  scenario.emulator.control.addFault({ operation: "mergeBranch", drop: "after" });
  const made = await merges.create(declared());
  expect(runs().map(({ id }) => id)).toEqual([made.id]);
  expect(scenario.calls("mergeBranch")).toBe(1);
});

describe("a run that fails", () => {
  beforeEach(() => {
    scenario.emulator.control.edit(({ projects, branches }) => {
      const branch = [...branches.values()].find((one) => one.projectRef === branchRef);
      const project = projects.get(projectRef);
      const dbPass = projects.get(branch?.projectRef ?? "")?.dbPass ?? "";
      if (project) project.next.branchFailure = { step: "migrate", log: `pass ${dbPass}\nno table a` };
    });
  });

  it("is an error with the end of its log, without a secret, and is not begun again by itself", async () => {
    const failure: unknown = await merges.create(declared()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InitializationError);
    expect(String(failure)).toContain(
      'failed in the step "migrate". Correct the cause, then change `triggers`',
    );
    expect(String(failure)).toContain("no table a");
    expect(String(failure)).toContain("pass [secret]");
    const { id, state } = failure as InitializationError;
    scenario.nextRun();
    await expect(merges.update({ id, state }, declared())).rejects.toThrow(`The action run ${id}`);
    expect(runs()).toHaveLength(1);

    expect(merges.diff(state, declared({ triggers: [2] })).replaces).toEqual(["triggers"]);
    scenario.nextRun();
    await merges.create(declared({ triggers: [2] }));
    expect(runs()).toHaveLength(2);
  });
});

it("says what the service refuses, and begins nothing", async () => {
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branchRef, force: false });
  await expect(merges.create(declared())).rejects.toThrow("scheduled for deletion");
  expect(runs()).toEqual([]);
});

it("is gone with its branch", async () => {
  const made = await merges.create(declared());
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branchRef });
  scenario.nextRun();
  expect(await merges.read(made)).toBeUndefined();
});

describe("a difference that no migration tells", () => {
  const query = (ref: string, sql: string) =>
    scenario.emulator.control.call("runQuery", { ref, body: { query: sql } });
  const fingerprintIn = (error: unknown): string => /the fingerprint (\w+):/.exec(String(error))?.[1] ?? "";
  const refusal = (more: Values = {}): Promise<unknown> => {
    scenario.nextRun();
    return merges.create(declared(more)).then(
      () => "merged",
      (error: unknown) => error,
    );
  };
  beforeEach(async () => {
    await query(projectRef, "create table orders (id int); insert into orders values (1)");
    await beginAsProduction();
  });

  it("drops a table of production's with its rows only by the fingerprint of that very difference", async () => {
    await query(branchRef, "drop table orders");
    const refused = await refusal();
    expect(String(refused)).toMatch(
      /no migration of the branch has `drop table public\.orders`.*Nothing was merged.*drop table public\.orders;/s,
    );
    expect([runs(), await query(projectRef, "select * from orders")]).toEqual([[], [{ id: 1 }]]);
    const confirm = fingerprintIn(refused);
    await query(branchRef, "create table others (id int)");
    expect(String(await refusal({ confirm }))).toContain("`confirm` belongs to another difference");
    expect(runs()).toEqual([]);
    const later = fingerprintIn(await refusal());
    expect(await refusal({ confirm: later })).toBe("merged");
    expect(merges.failures(declared({ confirm: projectRef }))).toHaveLength(1);
  });

  it("asks for an alter that stands otherwise in the branch's migration, and not for one that stands there", async () => {
    await migrateByTool(scenario, projectRef, { "1_orders.sql": "select 1" });
    await migrateByTool(scenario, branchRef, {
      "1_orders.sql": "select 1",
      "2_lines.sql": "create table lines (id int)",
      "3_alter.sql": "alter table orders add n int",
    });
    expect(String(await refusal())).toContain("has `alter table public.orders add column n integer`");
    await query(
      branchRef,
      "update svc_migrations.schema_migrations set statements = '{alter table public.orders add column n integer}' where version = '3'",
    );
    expect(String(await refusal({ migrationVersion: "2" }))).toContain("alter table public.orders");
    expect(await refusal()).toBe("merged");
  });

  it("takes nothing for explained where the histories cannot be read", async () => {
    await migrateByTool(scenario, branchRef, { "1_drop.sql": "drop table public.orders" });
    await migrateByTool(scenario, projectRef, { "0_orders.sql": "select 1" });
    scenario.emulator.control.addFault({
      operation: "runReadOnlyQuery",
      status: 403,
      message: "not allowed",
    });
    expect(String(await refusal())).toContain("no migration of the branch has `drop table public.orders`");
    expect(await refusal()).toBe("merged");
  });

  it("asks where the difference does not end", async () => {
    const body = "create table a (t text default 'x);\ndrop table orders;";
    scenario.emulator.control.addFault({ operation: "diffBranch", status: 200, body });
    expect(String(await refusal())).toContain("the difference cannot be read completely");
  });

  it("asks for nothing where only new things come, whatever is altered of them", async () => {
    await query(
      branchRef,
      "create table lines (id int primary key); alter table lines enable row level security",
    );
    expect(await refusal()).toBe("merged");
  });

  it("asks where production has no history and may have what the branch's migrations did", async () => {
    await migrateByTool(scenario, branchRef, { "1_orders.sql": "select 1" });
    expect(String(await refusal())).toMatch(
      /has tables \(public\.orders\) but no migration history.*-- migration 1/s,
    );
  });
});

it("asks where the project has a file of the branch's by the other endpoint, which a merge would apply again", async () => {
  const file = { "20260101000000_count.sql": "create table count (n int); insert into count values (1);" };
  await migrateByTool(scenario, projectRef, file);
  const [sql = ""] = Object.values(file);
  await scenario.emulator.control.call("applyMigration", {
    ref: branchRef,
    body: { query: sql, name: "20260101000000_count" },
  });
  await expect(merges.create(declared())).rejects.toThrow(
    /already has the statements of the branch's migration \d+, as 20260101000000, so the merge may apply them again.*set `confirm`/s,
  );
  expect(runs()).toEqual([]);
});

it("leaves our bookkeeping, which stands beside the history, to each database", async () => {
  const query = (ref: string, sql: string) =>
    scenario.emulator.control.call("runQuery", { ref, body: { query: sql } });
  const scripts = scenario.manage(sqlScript);
  const script = { projectRef, name: "seed", query: "create table if not exists seeds (n int)" };
  const made = await scripts.create(script);
  await beginAsProduction();
  await query(branchRef, "drop schema svc_migrations cascade; create table others (n int)");
  scenario.nextRun();
  await merges.create(declared());
  expect((await scripts.read(made))?.state).toEqual(made.state);
});
