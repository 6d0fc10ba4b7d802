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

it("rotates the password in place", async () => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  const inputs = { ...shop, dbPass: "second-password" };
  expect(managed.diff(made.state, inputs)).toMatchObject({ changes: true, replaces: [] });
  const updated = await managed.update(made, inputs);
  expect(updated.id).toBe(made.id);
  expect(scenario.emulator.world.state.projects.get(made.id)?.dbPass).toBe("second-password");
  expect(managed.diff(updated.state, inputs).changes).toBe(false);
  expect(scenario.progress.join("\n")).not.toContain("second-password");
});

it("rotates the password of a paused project that is to be restored", async () => {
  const managed = scenario.manage(project);
  const hobby = { ...shop, organizationSlug: "hobby" };
  const made = await managed.create({ ...hobby, paused: true });
  await managed.update(made, { ...hobby, paused: false, dbPass: "second-password" });
  expect(scenario.emulator.world.state.projects.get(made.id)?.dbPass).toBe("second-password");
});
