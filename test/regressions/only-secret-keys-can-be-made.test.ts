import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { madeApiKeys } from "../lifecycle/made-api-keys";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("makes keys of both types side by side", async () => {
  const projectRef = scenario.healthyProject();
  const keys = scenario.manage(apiKey);
  const made = [
    await keys.create({ projectRef, type: "publishable", name: "website" }),
    await keys.create({ projectRef, type: "secret", name: "backend" }),
  ];
  const onService = madeApiKeys(scenario.emulator.world.state.projects.get(projectRef));
  expect(onService.map(({ type, name }) => [type, name])).toEqual([
    ["publishable", "website"],
    ["secret", "backend"],
  ]);
  expect(made.map(({ state }) => state["apiKey"])).toEqual(onService.map((key) => key.apiKey));
});
