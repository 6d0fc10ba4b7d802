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

/** Services of every project made from now on stay unhealthy. */
function breakStorage(): void {
  scenario.emulator.control.edit((state) => {
    for (const record of state.projects.values()) record.unhealthyServices.set("storage", "disk is missing");
  });
}

it("waits until the deadline that is declared, and then names the services that are not healthy", async () => {
  const made = await scenario.manage(project).create(shop);
  breakStorage();
  const from = scenario.clock.now();
  const failure = await scenario
    .manage(project)
    .update(made, { ...shop, name: "store", timeouts: { update: 2_400 } })
    .catch((error: unknown) => String(error));
  expect(failure).toContain("storage is UNHEALTHY (disk is missing)");
  expect(failure).not.toContain("auth is");
  expect((scenario.clock.now() - from) / 1_000).toBeCloseTo(2_400, -2);
});

it("outlasts refusals to tell the health for as long as the deadline allows", async () => {
  scenario.emulator.control.addFault({
    operation: "getHealth",
    status: 400,
    message: "not ready",
    times: 30,
  });
  const made = await scenario.manage(project).create(shop);
  expect(made.state).toMatchObject({ status: "ACTIVE_HEALTHY" });
});
