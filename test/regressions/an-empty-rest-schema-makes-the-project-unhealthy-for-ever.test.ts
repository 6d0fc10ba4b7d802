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

it("does not wait for the REST layer of a project whose schema is empty, and says why", async () => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  scenario.emulator.control.edit((state) => {
    const record = state.projects.get(made.id);
    if (record !== undefined) record.restLayer.dbSchema = "";
  });
  const updated = await managed.update(made, { ...shop, name: "store" });
  expect(updated.state).toMatchObject({ status: "ACTIVE_HEALTHY", name: "store" });
  expect(scenario.warnings.join("\n")).toMatch(
    /`rest` .* did not wait for it, because its `dbSchema` is empty/,
  );
});

it("still waits for every other service of such a project", async () => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  scenario.emulator.control.edit((state) => {
    const record = state.projects.get(made.id);
    if (record === undefined) return;
    record.restLayer.dbSchema = "";
    record.unhealthyServices.set("auth", "no key");
  });
  const inputs = { ...shop, name: "store", timeouts: { update: 300 } };
  await expect(managed.update(made, inputs)).rejects.toThrow("auth is UNHEALTHY (no key)");
});
