import { branchPush } from "../../../provider/actions/branches/branch-push";
import { createBranchRef } from "../database/branch-ref";
import { startScenario, type Scenario } from "../scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("goes through its life", async () => {
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

  scenario.nextRun();
  expect((await pushes.read(made))?.state).toEqual(made.state);
  expect(pushes.diff(made.state, { projectRef, branchRef }).changes).toBe(false);
  expect(pushes.diff(made.state, { projectRef, branchRef, triggers: {} }).replaces).toEqual(["triggers"]);
  await pushes.delete(made);
  await pushes.delete(made);
  expect(await control.call("listMigrations", { ref: branchRef })).toHaveLength(1);
});
