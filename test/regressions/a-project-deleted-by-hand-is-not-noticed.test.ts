import type { Values } from "../../provider/lifecycle/state";
import { project } from "../../provider/resources/projects/project/project";
import { startScenario, type Scenario } from "../lifecycle/scenario";

const shop: Values = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "first-password",
  region: "eu-central-1",
};

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("is gone after its deletion, whether the service says 400 or 404", async () => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref: made.id });
  scenario.clock.advance(60_000);
  scenario.nextRun();
  expect(await managed.read(made)).toBeUndefined();
  scenario.clock.advance(3_600_000);
  scenario.nextRun();
  expect(await managed.read(made)).toBeUndefined();
  const again = await managed.create(shop);
  expect(again.id).not.toBe(made.id);
});

it.each([401, 403, 500])("is not taken for gone after an answer of %d", async (status) => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  scenario.emulator.control.addFault({ operation: "getProject", status, times: 20 });
  await expect(managed.read(made)).rejects.toThrow(String(status));
});
