import { listMissingOutputs } from "../../provider/engine/create/required-outputs";
import { resourceOf, samplesInTier } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";

jest.setTimeout(60_000);

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it.each(samplesInTier().map((sample) => [sample.type, sample] as const))(
  "%s has every output that programs rely on, once it is made and after a refresh",
  async (_, sample) => {
    const ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
    const resource = resourceOf(sample);
    const managed = scenario.manage(resource);
    const made = await managed.create(sample.inputs(ref));
    expect(listMissingOutputs(resource, made.state)).toEqual([]);
    scenario.nextRun();
    const read = await managed.read(made);
    expect(listMissingOutputs(resource, read?.state ?? {})).toEqual([]);
  },
);
