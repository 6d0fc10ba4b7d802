import { branchReset } from "../../../provider/actions/branches/branch-reset";
import { UNKNOWN } from "../../../provider/define/unknown";
import type { Values } from "../../../provider/define/values";
import { createBranchRef } from "../../kit/branch-ref";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let resets: Managed;
let projectRef: string;
let branchRef: string;

beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  branchRef = createBranchRef(scenario, projectRef);
  resets = scenario.manage(branchReset);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef, branchRef, confirm: branchRef, ...more });
const query = (sql: string) =>
  scenario.emulator.control.call("runQuery", { ref: branchRef, body: { query: sql } });
const TABLES = "select tablename from pg_tables where schemaname = 'public'";

it("empties the branch once: what is made afterwards stays", async () => {
  await query("create table a (id int)");
  const made = await resets.create(declared());
  expect(await query(TABLES)).toEqual([]);
  expect(made.state).toMatchObject({ runId: made.id, confirm: branchRef });

  await query("create table b (id int)");
  await resets.delete(made);
  expect(await query(TABLES)).toEqual([{ tablename: "b" }]);
});

it("is refused in the preview unless it names the branch once more", () => {
  expect(resets.failures(declared({ confirm: projectRef }))).toEqual([
    `confirm: expected ${branchRef}, as in \`branchRef\`, got ${projectRef}: this action destroys data that cannot be recovered. ` +
      "Nothing was done. Set `confirm` to that reference if you want to lose its data.",
  ]);
  expect(resets.failures({ projectRef, branchRef })).toHaveLength(1);
  expect(resets.failures(declared({ branchRef: UNKNOWN }))).toEqual([]);
});

it("is done once where the answer got lost", async () => {
  scenario.emulator.control.addFault({ operation: "resetBranch", drop: "after" });
  await resets.create(declared());
  expect(scenario.calls("resetBranch")).toBe(1);
});
