import { branchMerge } from "../../../provider/actions/branches/branch-merge";
import { InitializationError } from "../../../provider/engine/step/errors";
import type { Values } from "../../../provider/define/values";
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

it("is over with a step that stays paused, and reads its run at the project's reference", async () => {
  const made = await merges.create(declared());
  const steps = scenario.emulator.control.call("getActionRun", {
    ref: projectRef,
    run_id: made.id,
  }).run_steps;
  expect(steps.filter(({ status }) => status === "PAUSED").map(({ name }) => name)).toEqual(["configure"]);
  const reads = scenario.emulator.control.calls({ operation: "getActionRun" });
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.every(({ path }) => path.includes(projectRef))).toBe(true);
});

it("waits while a run has no steps", async () => {
  const { control } = scenario.emulator;
  const run = { id: "x", branch_id: "x", run_steps: [], created_at: "2026-01-01T00:00:00Z" };
  control.addFault({ operation: "getActionRun", status: 200, body: run, times: 3 });
  const beganMs = scenario.clock.now();
  const made = await merges.create(declared());
  expect(scenario.progress.join("\n")).toContain(`waiting for the action run ${made.id}: no step shows yet`);
  expect(scenario.clock.now() - beganMs).toBeGreaterThan(50_000);
});

it("reads its run at the branch's reference where an older service has it there", async () => {
  const older = await startScenario({ service: "2026-06", isProxied: true });
  try {
    const ref = older.healthyProject();
    const branch = createBranchRef(older, ref);
    older.proxy.disturb({
      operation: "getActionRun",
      appliesTo: ({ path }) => path.includes(ref),
      rewrite: () => ({
        status: 404,
        body: Buffer.from(JSON.stringify({ message: "Action run not found" })),
      }),
    });
    const made = await older.manage(branchMerge).create({ projectRef: ref, branchRef: branch });
    expect(made.state).toMatchObject({ runId: made.id });
    const atBranch = older.emulator.control.calls({ operation: "getActionRun" });
    expect(atBranch.some(({ path }) => path.includes(branch))).toBe(true);
  } finally {
    await older.close();
  }
});

it("takes no run of another branch for its own where the answer got lost and nothing was begun", async () => {
  const { control } = scenario.emulator;
  scenario.emulator.control.addFault({ operation: "mergeBranch", drop: "before" });
  const creating = merges.create(declared());
  control.call("createBranch", { ref: projectRef, body: { branch_name: "beside" } });
  const made = await creating;
  expect(runs().map(({ id }) => id)).toEqual([made.id]);
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

  it("asks for a drop that stands otherwise in the branch's migration, and not for one that stands there", async () => {
    await query(projectRef, "alter table orders add n int");
    await beginAsProduction();
    await migrateByTool(scenario, projectRef, { "1_orders.sql": "select 1" });
    await migrateByTool(scenario, branchRef, {
      "1_orders.sql": "select 1",
      "2_lines.sql": "create table lines (id int)",
      "3_alter.sql": "alter table orders drop n",
    });
    expect(String(await refusal())).toContain("has `alter table public.orders drop column n`");
    await query(
      branchRef,
      "update svc_migrations.schema_migrations set statements = '{alter table public.orders drop column n}' where version = '3'",
    );
    expect(String(await refusal({ migrationVersion: "2" }))).toContain("alter table public.orders");
    expect(await refusal()).toBe("merged");
  });

  it("stays on the branch where it drops nothing, and is told of", async () => {
    await query(branchRef, "alter table orders add n int; create table by_hand (id int)");
    await migrate("a");
    expect(await refusal({ confirm: fingerprintIn(await refusal()) })).toBe("merged");
    const tables =
      "select string_agg(tablename, ' ' order by tablename) as names from pg_tables where schemaname = 'public'";
    expect(await query(projectRef, tables)).toEqual([{ names: "a orders" }]);
    const [warning = "", ...more] = scenario.warnings;
    expect(more).toEqual([]);
    expect(warning).toMatch(/: 2 statements of the difference stay on the branch [a-z]{20}, .*by_hand/);
    expect(warning).toContain("`alter table public.orders add column n integer`");
    expect(warning).not.toMatch(/pg_net|tr_check_filters/);
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

describe("a difference that is recorded", () => {
  const query = (ref: string, sql: string) =>
    scenario.emulator.control.call("runQuery", { ref, body: { query: sql } });
  const tablesOf = async (ref: string) =>
    query(
      ref,
      "select string_agg(tablename, ' ' order by tablename) as names from pg_tables where schemaname = 'public'",
    );
  const record = (more: Values = {}): Values => declared({ recordDifference: true, ...more });
  const refusal = (more: Values = {}): Promise<unknown> => {
    scenario.nextRun();
    return merges.create(record(more)).then(
      () => "merged",
      (error: unknown) => error,
    );
  };
  const confirmed = async (): Promise<string> =>
    /the fingerprint (\w+):/.exec(String(await refusal()))?.[1] ?? "";
  beforeEach(() => query(branchRef, "create table by_hand (id int)"));

  it("is merged as a migration of its own, with consent to that very difference only", async () => {
    const refused = String(await refusal());
    expect(refused).toContain("`recordDifference` merges the whole difference");
    expect(refused).not.toMatch(/pg_net|tr_check_filters/);
    const early = await confirmed();
    await query(branchRef, "create table later (id int)");
    expect(String(await refusal({ confirm: early }))).toContain("`confirm` belongs to another difference");
    expect([runs(), await historyOf(branchRef)]).toEqual([[], []]);

    expect(await refusal({ confirm: await confirmed() })).toBe("merged");
    expect(await tablesOf(projectRef)).toEqual([{ names: "by_hand later" }]);
    const rows = await historyOf(projectRef);
    expect(rows.map(({ name }) => name)).toEqual([expect.stringMatching(/^branch_merge_\d{14}$/)]);
    expect(scenario.warnings).toEqual([]);
  });

  it("is taken back where the service refuses the merge, and used where the run was killed before it", async () => {
    const confirm = await confirmed();
    for (const [status, message] of [
      [400, "not now"],
      [403, "not you"],
    ] as const) {
      scenario.emulator.control.addFault({ operation: "mergeBranch", status, message });
      expect(String(await refusal({ confirm }))).toContain(message);
      expect(await historyOf(branchRef)).toEqual([]);
    }

    const diff = await scenario.emulator.control.call("diffBranch", { branch_id_or_ref: branchRef });
    const recorded = diff.split("\n").slice(2).join("\n");
    const body = { query: recorded, name: "branch_merge_20260101000000" };
    await scenario.emulator.control.call("upsertMigration", { ref: branchRef, body });
    scenario.emulator.control.clearCalls();
    expect(await refusal({ confirm: await confirmed() })).toBe("merged");
    expect(await historyOf(projectRef)).toHaveLength(1);
    expect(scenario.calls("upsertMigration")).toBe(0);
  });

  it.each([{ status: 502, after: true }, { drop: "after" }, { status: 503 }] as const)(
    "is recorded once where the answer is %j",
    async (fault) => {
      const confirm = await confirmed();
      scenario.emulator.control.addFault({ operation: "upsertMigration", ...fault });
      expect(await refusal({ confirm })).toBe("merged");
      expect(await historyOf(projectRef)).toHaveLength(1);
      expect(await historyOf(branchRef)).toHaveLength(1);
    },
  );

  it("has been merged where the difference cannot be read afterwards", async () => {
    const confirm = await confirmed();
    scenario.emulator.control.addFault({ operation: "diffBranch", drop: "before", skip: 1, times: 1_000 });
    expect(await refusal({ confirm })).toBe("merged");
    expect(await historyOf(projectRef)).toHaveLength(1);
  });

  it("is refused beside migrations that do the same, and with a version", async () => {
    await migrate("a");
    expect(String(await refusal())).toMatch(
      /the branch [a-z]{20} has migrations that .* lacks .*First merge/s,
    );
    expect(runs()).toEqual([]);
    expect(merges.failures(record({ migrationVersion: "1" }))).toEqual([
      expect.stringContaining("recordDifference"),
    ]);
  });

  it("is nothing where the schemas are equal", async () => {
    await query(branchRef, "drop table by_hand");
    expect(await refusal()).toBe("merged");
    expect(scenario.calls("upsertMigration")).toBe(0);
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
