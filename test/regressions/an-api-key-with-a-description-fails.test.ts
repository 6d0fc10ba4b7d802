import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { madeApiKeys } from "../lifecycle/made-api-keys";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it.each(["publishable", "secret"])("makes a %s key with a description in one go", async (type) => {
  const projectRef = scenario.healthyProject();
  const keys = scenario.manage(apiKey);
  const inputs = { projectRef, type, name: "backend", description: "Used by the backend." };
  const made = await keys.create(inputs);
  const [key, ...others] = madeApiKeys(scenario.emulator.world.state.projects.get(projectRef));
  expect(key).toMatchObject({ id: made.id, type, description: "Used by the backend." });
  expect(others).toEqual([]);
  expect(keys.diff(made.state, inputs).changes).toBe(false);
});
