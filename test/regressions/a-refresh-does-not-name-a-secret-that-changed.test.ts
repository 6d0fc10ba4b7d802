import { resourceByType } from "../../provider/catalog";
import { sampleOf } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it.each([
  ["AuthConfig", "smtp.port, smtp.password changed outside this program"],
  ["CryptoExtensionKey", "rootKey changed outside this program"],
  ["Secret", "value changed outside this program"],
])("names what changed of %s", async (type, line) => {
  const sample = sampleOf(type);
  const ref = scenario.healthyProject();
  sample.prepare?.(scenario, ref);
  const managed = scenario.manage(resourceByType(type));
  const made = await managed.create(managed.checked(sample.inputs(ref)));
  scenario.nextRun();
  await managed.read(made);
  expect(scenario.infos).toEqual([]);

  scenario.emulator.control.edit((state) => sample.editOutside?.(state, ref));
  scenario.nextRun();
  const read = await managed.read(made);

  expect(scenario.infos).toEqual([expect.stringContaining(line)]);
  expect(scenario.infos.join()).not.toMatch(/by hand|root-key-by-hand/);

  // What is known is not said again.
  scenario.nextRun();
  await managed.read({ id: made.id, state: read?.state ?? {} });
  expect(scenario.infos).toHaveLength(1);
});
