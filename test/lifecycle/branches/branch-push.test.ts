import { branchPush } from "../../../provider/actions/branches/branch-push";
import { createBranchRef } from "../../kit/branch-ref";
import { migrateByTool } from "../../../tools/engine/migrate-by-tool";
import type { Values } from "../../../provider/define/values";
import { startScenario, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("brings the project's migrations to the branch, where they stay", async () => {
  const projectRef = scenario.healthyProject();
  const branchRef = createBranchRef(scenario, projectRef);
  const { control } = scenario.emulator;
  await control.call("applyMigration", {
    ref: projectRef,
    body: { query: "create table a (id int)", name: "a" },
  });
  const pushes = scenario.manage(branchPush);
  const made = await pushes.create({ projectRef, branchRef });
  expect(await control.call("listMigrations", { ref: branchRef })).toHaveLength(1);
  expect(made.state).toMatchObject({ runId: made.id });

  await pushes.delete(made);
  expect(await control.call("listMigrations", { ref: branchRef })).toHaveLength(1);
});

describe("a migration that the branch has under another version", () => {
  const file = {
    "20260101000000_count.sql": "create table if not exists count (n int); insert into count values (1)",
  };
  const [sql = ""] = Object.values(file);
  let projectRef: string;
  let branchRef: string;
  const count = () =>
    scenario.emulator.control.call("runQuery", { ref: branchRef, body: { query: "select n from count" } });
  const pushed = (more: Values = {}): Promise<string> => {
    scenario.nextRun();
    return scenario
      .manage(branchPush)
      .create({ projectRef, branchRef, ...more })
      .then(
        () => "pushed",
        (error: unknown) => String(error),
      );
  };
  beforeEach(async () => {
    projectRef = scenario.healthyProject();
    branchRef = createBranchRef(scenario, projectRef);
    await migrateByTool(scenario, projectRef, { "20250101000000_first.sql": "select 1", ...file });
    const body = { query: sql, name: "20260101000000_count" };
    await scenario.emulator.control.call("applyMigration", { ref: branchRef, body });
  });

  it("is not applied again without consent to the very migrations", async () => {
    const refused = await pushed();
    expect(refused).toMatch(
      /the branch already has the statements of the project's migration 20260101000000, as \d+, so the push may apply them again\. Nothing was pushed\./,
    );
    expect([scenario.calls("pushBranch"), await count()]).toEqual([0, [{ n: 1 }]]);
    expect(await pushed({ confirm: "0".repeat(16) })).toContain(
      "because `confirm` belongs to other migrations",
    );
    const [, confirm = ""] = /the fingerprint (\w+):/.exec(refused) ?? [];
    expect(await pushed({ confirm })).toBe("pushed");
    expect(await count()).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it("does not keep earlier ones from being pushed", async () => {
    expect(await pushed({ migrationVersion: "20250101000000" })).toBe("pushed");
    expect(await count()).toEqual([{ n: 1 }]);
  });

  it("is left to the service where the histories cannot be read", async () => {
    scenario.emulator.control.addFault({
      operation: "runReadOnlyQuery",
      status: 403,
      message: "not allowed",
    });
    expect(await pushed()).toBe("pushed");
  });
});

it("asks where the branch has tables and no history, and may have what the project's migrations do", async () => {
  const projectRef = scenario.healthyProject();
  const branchRef = createBranchRef(scenario, projectRef);
  const { control } = scenario.emulator;
  await control.call("runQuery", { ref: branchRef, body: { query: "create table orders (id int)" } });
  await migrateByTool(scenario, projectRef, { "1_orders.sql": "create table orders (id int)" });
  await expect(scenario.manage(branchPush).create({ projectRef, branchRef })).rejects.toThrow(
    /the branch has tables \(public\.orders\) but no migration history.*-- migration 1/s,
  );
});
