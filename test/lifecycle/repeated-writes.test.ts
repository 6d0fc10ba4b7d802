import type { OperationName } from "../../spec/table";
import { resourceOf, sampleOf, samples } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

/** As a gateway does that sends a write a second time: the work is done, and the answer is the second one's refusal. */
function refuseAfterWork(operation: OperationName, status: number, message: string): void {
  scenario.emulator.control.addFault({ operation, status, message, after: true });
}

const REFUSALS: readonly [status: number, message: string][] = [
  [409, "Conflict"],
  [400, "An object of this name already exists"],
  [422, "The project already has a signing key in standby"],
];

/** The types whose objects the service shows with the time of their creation, and the call that creates one. */
const creates: readonly [type: string, operation: OperationName][] = [
  ["ApiKey", "createApiKey"],
  ["SigningKey", "createSigningKey"],
  ["SsoProvider", "createSsoProvider"],
  ["ThirdPartyAuth", "createThirdPartyAuth"],
  ["Branch", "createBranch"],
];

describe.each(creates)("a create of %s that a gateway repeats", (type, operation) => {
  const sample = samples.find((each) => each.type === type) ?? sampleOf(type);

  it.each(REFUSALS)("finds what its request made behind the refusal %d %s", async (status, message) => {
    const managed = scenario.manage(resourceOf(sample));
    sample.prepare?.(scenario, ref);
    refuseAfterWork(operation, status, message);
    const made = await managed.create(sample.inputs(ref));
    expect(await sample.onService(scenario, ref)).toHaveLength(1);
    scenario.nextRun();
    const read = await managed.read(made);
    expect(managed.diff(read?.state ?? {}, sample.inputs(ref)).changes).toBe(false);
  });

  it("reports the refusal where nothing was made, and where somebody else has made it", async () => {
    const managed = scenario.manage(resourceOf(sample));
    sample.prepare?.(scenario, ref);
    scenario.emulator.control.addFault({ operation, status: 409, message: "It already exists" });
    await expect(managed.create(sample.inputs(ref))).rejects.toThrow("It already exists");
    expect(await sample.onService(scenario, ref)).toHaveLength(0);
  });
});

it.each(["before", "after"] as const)(
  "takes a range of addresses whose create had no answer %s the work, once",
  async (drop) => {
    const sample = sampleOf("AllowedCidr");
    const ranges = scenario.manage(resourceOf(sample));
    scenario.emulator.control.addFault({ operation: "patchNetworkRestrictions", drop });
    const made = await ranges.create(sample.inputs(ref));
    expect(await sample.onService(scenario, ref)).toHaveLength(1);
    await ranges.delete(made);
    expect(await sample.onService(scenario, ref)).toHaveLength(0);
  },
);

describe("a deploy that a gateway repeats", () => {
  it.each(["EdgeFunction", "FunctionSet"])("is no drift of a %s", async (type) => {
    const sample = sampleOf(type);
    const functions = scenario.manage(resourceOf(sample));
    const made = await functions.create(sample.inputs(ref));
    scenario.emulator.control.edit(({ projects }) => {
      for (const each of projects.get(ref)?.functions.values() ?? []) each.version += 1;
    });
    scenario.nextRun();
    const read = await functions.read(made);
    expect(functions.diff(read?.state ?? {}, sample.inputs(ref)).changes).toBe(false);
  });
});
