import { project } from "../../provider/resources/projects/project/project";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

it("awaits and removes the branches that still provision before the project goes", async () => {
  const { control, world } = scenario.emulator;
  control.call("createBranch", { ref: projectRef, body: { branch_name: "old", persistent: true } });
  scenario.clock.advance(600_000);
  control.call("createBranch", { ref: projectRef, body: { branch_name: "provisioning" } });
  const managed = scenario.manage(project);
  const inputs = { name: "app", organizationSlug: "acme", dbPass: "initial-password" };
  await managed.delete({ id: projectRef, state: inputs });
  expect(world.state.branches.size).toBe(0);
  expect([...world.state.projects.keys()].filter((ref) => ref !== projectRef)).toEqual([]);
  expect(await managed.read({ id: projectRef, state: inputs })).toBeUndefined();
});

it("deletes the project also when the token may not see branches", async () => {
  scenario.emulator.control.addFault({ operation: "listBranches", status: 403, times: 5 });
  const managed = scenario.manage(project);
  const inputs = { name: "app", organizationSlug: "acme", dbPass: "initial-password" };
  await managed.delete({ id: projectRef, state: inputs });
  expect(await managed.read({ id: projectRef, state: inputs })).toBeUndefined();
});
