import { importResource } from "../../../provider/engine/import";
import type { Values } from "../../../provider/define/values";
import { databaseWebhooks } from "../../../provider/resources/database/database-webhooks/database-webhooks";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { createBranchRef } from "../../kit/branch-ref";

let scenario: Scenario;
let webhooks: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  webhooks = scenario.manage(databaseWebhooks);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const areEnabled = (of = ref) => scenario.emulator.world.state.projects.get(of)?.webhooksEnabled;

it("enables them in one call, and a delete leaves them enabled with a warning", async () => {
  expect(areEnabled()).toBe(false);
  const made = await webhooks.create(declared());
  expect(areEnabled()).toBe(true);
  expect(scenario.calls("enableWebhooks")).toBe(1);

  scenario.nextRun();
  const read = await webhooks.read(made);
  expect(read?.inputs).toEqual(declared());
  expect(scenario.warnings).toEqual([]);

  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await webhooks.delete(made);
  expect(areEnabled()).toBe(true);
  expect(scenario.calls()).toBe(0);
  expect(scenario.warnings.join("\n")).toContain(`the database webhooks of ${ref} stay enabled`);
});

it("enables what is enabled already, and does no harm", async () => {
  await scenario.client.enableWebhooks({ ref });
  const made = await webhooks.create(declared());
  expect(made.id).toBe(ref);
  expect(areEnabled()).toBe(true);
});

it("lets the database send requests", async () => {
  await webhooks.create(declared());
  const query = "select count(*) from pg_proc where proname = 'http_request'";
  expect(await scenario.client.runQuery({ ref, body: { query } })).toEqual([{ count: 1 }]);
});

it("enables what is taken over by its identifier", async () => {
  const made = await webhooks.create(declared({ adoptId: ref }));
  expect(made.id).toBe(ref);
  expect(areEnabled()).toBe(true);
  expect(scenario.calls("enableWebhooks")).toBe(1);
});

it("waits for a project that was made a moment ago", async () => {
  const { ref: fresh } = scenario.emulator.control.call("createProject", {
    body: { name: "fresh", organization_slug: "acme", db_pass: "initial-password" },
  });
  await webhooks.create({ projectRef: fresh });
  expect(areEnabled(fresh)).toBe(true);
});

it("is a branch's own by the branch's reference", async () => {
  const branchRef = createBranchRef(scenario, ref);
  const made = await webhooks.create({ projectRef: branchRef });
  expect([areEnabled(branchRef), areEnabled()]).toEqual([true, false]);
  scenario.nextRun();
  expect((await webhooks.read(made))?.inputs).toEqual({ projectRef: branchRef });
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branchRef });
  scenario.nextRun();
  expect(await webhooks.read(made)).toBeUndefined();
});

it("is replaced where it moves to another project", async () => {
  const made = await webhooks.create(declared());
  const other = scenario.healthyProject("other");
  expect(webhooks.diff(made.state, { projectRef: other })).toMatchObject({ replaces: ["projectRef"] });
});

it("is imported by the project's reference, if there is such a project", async () => {
  const imported = await importResource(scenario.runtime, databaseWebhooks, ref, true);
  expect(imported).toMatchObject({ id: ref, inputs: declared() });
  expect(await importResource(scenario.runtime, databaseWebhooks, "a".repeat(20), true)).toBeUndefined();
});

it("stays in the state where the token may not see the project", async () => {
  const made = await webhooks.create(declared());
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "getProject", status: 403, times: 10 });
  expect((await webhooks.read(made))?.inputs).toEqual(declared());
  scenario.emulator.control.clearFaults();
  scenario.emulator.control.addFault({ operation: "getProject", status: 500, times: 100 });
  await expect(webhooks.read(made)).rejects.toThrow("getProject failed");
});

it("leaves nothing in the state where the service refuses", async () => {
  scenario.emulator.control.addFault({ operation: "enableWebhooks", status: 403 });
  await expect(webhooks.create(declared())).rejects.toThrow("enableWebhooks failed");
  expect(areEnabled()).toBe(false);
});
