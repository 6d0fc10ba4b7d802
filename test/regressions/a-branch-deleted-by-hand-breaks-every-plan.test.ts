import { branch } from "../../provider/resources/branches/branch/branch";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

it("is shown as gone, deleted without an error and made again", async () => {
  const managed = scenario.manage(branch);
  const inputs = { projectRef, name: "preview" };
  const made = await managed.create(inputs);
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: made.id });
  scenario.nextRun();
  expect(await managed.read(made)).toBeUndefined();
  await managed.delete(made);
  const again = await managed.create(inputs);
  expect(again.id).not.toBe(made.id);
});

it("is gone when its project is", async () => {
  const managed = scenario.manage(branch);
  const made = await managed.create({ projectRef, name: "preview" });
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref: projectRef });
  scenario.clock.advance(60_000);
  scenario.nextRun();
  expect(await managed.read(made)).toBeUndefined();
  await managed.delete(made);
});
