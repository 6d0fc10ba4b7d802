import { branch } from "../../provider/resources/branches/branch/branch";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

it("is demoted first", async () => {
  const managed = scenario.manage(branch);
  const made = await managed.create({ projectRef, name: "staging", persistent: true });
  await managed.delete(made);
  expect(scenario.emulator.world.state.branches.has(made.id)).toBe(false);
  expect(scenario.calls("updateBranch")).toBe(1);
  expect(scenario.calls("deleteBranch")).toBe(1);
});
