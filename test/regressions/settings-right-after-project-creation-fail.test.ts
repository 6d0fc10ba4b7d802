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

it("takes a setting the moment the project counts as made", async () => {
  const made = await scenario.manage(project).create(shop);
  const { control } = scenario.emulator;
  expect(() =>
    control.call("createSecrets", { ref: made.id, body: [{ name: "TOKEN", value: "a value" }] }),
  ).not.toThrow();
  expect(() =>
    control.call("updatePostgresConfig", { ref: made.id, body: { max_connections: 120 } }),
  ).not.toThrow();
});

it("rotates a password while the project comes up again", async () => {
  const managed = scenario.manage(project);
  const hobby = { ...shop, organizationSlug: "hobby" };
  const made = await managed.create(hobby);
  scenario.emulator.control.call("pauseProject", { ref: made.id });
  scenario.clock.advance(60_000);
  scenario.emulator.control.call("restoreProject", { ref: made.id });
  await managed.update(made, { ...hobby, dbPass: "second-password" });
  expect(scenario.emulator.world.state.projects.get(made.id)?.dbPass).toBe("second-password");
});
