import { resourceOf, samplesInTier } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const parts = samplesInTier()
  .filter(({ needsProject }) => needsProject)
  .map((sample) => [sample.type, sample] as const);

describe.each([
  ["is being removed", 0],
  ["was removed a moment ago", 60_000],
  ["is forgotten", 3_600_000],
])("when the project %s", (_when, ageMs) => {
  it.each(parts)("%s is seen as gone, and its delete succeeds", async (_type, sample) => {
    const ref = scenario.healthyProject();
    sample.prepare?.(scenario, ref);
    const managed = scenario.manage(resourceOf(sample));
    const made = await managed.create(sample.inputs(ref));
    scenario.healthyProject("another");
    scenario.emulator.control.call("deleteProject", { ref });
    scenario.clock.advance(ageMs);
    scenario.nextRun();
    await managed.delete(made);
    scenario.clock.advance(60_000);
    scenario.nextRun();
    expect(await managed.read(made)).toBeUndefined();
  });
});
