import { createResource } from "../../provider/engine/create/create";
import { createBranchRef } from "../kit/branch-ref";
import { countAfterDelete, resourceOf, samples, type Sample } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";

// What holds of every configuration, whichever settings it has.

const configurations = samples.filter((sample) => "readAll" in resourceOf(sample));
const table = configurations.map((sample) => [sample.type, sample] as const);

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const onService = async (sample: Sample, ref: string): Promise<number> =>
  (await sample.onService(scenario, ref)).length;

/** A project that was ordered a moment ago, which answers while it is not there yet. */
function newProject(): string {
  return scenario.emulator.control.call("createProject", {
    body: {
      name: "fresh",
      organization_slug: "acme",
      db_pass: "initial-password",
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  }).ref;
}

it.each(table)("%s waits for a project that was made a moment ago", async (_type, sample) => {
  const ref = newProject();
  sample.prepare?.(scenario, ref);
  const managed = scenario.manage(resourceOf(sample));
  const made = await managed.create(sample.inputs(ref));
  expect(await onService(sample, ref)).toBe(1);
  await managed.delete(made);
  expect(await onService(sample, ref)).toBe(countAfterDelete(sample));
});

it.each(table)("%s configures a branch, and not its project", async (_type, sample) => {
  const ref = scenario.healthyProject();
  const branchRef = createBranchRef(scenario, ref);
  for (const each of [ref, branchRef]) sample.prepare?.(scenario, each);
  const managed = scenario.manage(resourceOf(sample));
  const made = await managed.create(sample.inputs(branchRef));
  expect([await onService(sample, branchRef), await onService(sample, ref)]).toEqual([1, 0]);
  scenario.nextRun();
  const read = await managed.read(made);
  expect(managed.diff(read?.state ?? {}, sample.inputs(branchRef)).changes).toBe(false);
  await managed.delete(made);
  expect(await onService(sample, branchRef)).toBe(countAfterDelete(sample));
});

it.each(table)("%s is read once, however many resources share it", async (type, sample) => {
  const ref = scenario.healthyProject();
  sample.prepare?.(scenario, ref);
  const managed = scenario.manage(resourceOf(sample));
  const [one, other] = await Promise.all([
    managed.create(sample.inputs(ref)),
    managed.create({ ...sample.inputs(ref), __owner: `acme/shop/dev/${type}-two` }),
  ]);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all([managed.read(one), managed.read(other)]);
  const operations = scenario.emulator.control.calls().map(({ operation }) => operation);
  // What waits for a restart is asked of the database itself.
  const asksDatabase = operations.includes("runReadOnlyQuery");
  expect(operations).toHaveLength(asksDatabase ? 2 : 1);
  expect(new Set(operations).size).toBe(operations.length);
});

it("lets all configurations of a project that is starting be made and deleted at once", async () => {
  const ref = newProject();
  for (const sample of configurations) sample.prepare?.(scenario, ref);
  // Each restart comes while others still write.
  scenario.emulator.control.set("settingsRestartDatabase", true);
  const made = await Promise.all(
    configurations.map((sample) => {
      const resource = resourceOf(sample);
      const inputs = scenario.manage(resource).checked(sample.inputs(ref));
      return createResource(scenario.runtime, resource, inputs);
    }),
  );
  expect(await Promise.all(configurations.map((sample) => onService(sample, ref)))).toEqual(
    made.map(() => 1),
  );
  scenario.nextRun();
  await Promise.all(
    made.map(async (one, at) => {
      const sample = configurations[at];
      if (sample !== undefined) await scenario.manage(resourceOf(sample)).delete(one);
    }),
  );
  expect(await Promise.all(configurations.map((sample) => onService(sample, ref)))).toEqual(
    configurations.map(countAfterDelete),
  );
});

const REFUSALS = [
  [400, "This is not available on the free plan."],
  [402, "This feature requires the Enterprise organization plan."],
  [403, "This is not available on the free plan."],
  [422, "This value is not allowed."],
] as const;

/** Of the others, a delete leaves what is there. */
const writesOnDelete = table.filter(
  ([type]) => !["NetworkRestrictions", "CryptoExtensionKey"].includes(type),
);

it.each(writesOnDelete)(
  "%s says of a refused delete what helps without a declaration",
  async (type, sample) => {
    const { control } = scenario.emulator;
    control.set("jitAccessShowsState", true);
    const ref = scenario.healthyProject();
    sample.prepare?.(scenario, ref);
    const managed = scenario.manage(resourceOf(sample));
    const made = await managed.create({ ...sample.inputs(ref), ...sample.secretInputs });
    for (const [status, message] of REFUSALS) {
      scenario.nextRun();
      for (const method of ["PUT", "PATCH", "POST"])
        control.addFault({ method, status, body: { message }, times: 5 });
      const said = await managed.delete(made).then(
        () => "it was deleted",
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      control.clearFaults();
      expect(said).toContain(`${type} of ${ref}: the service refused to restore \``);
      expect(said).toContain(`(the service says: ${message}`);
      expect(said).toContain("`pulumi state delete '<its URN>'`");
      expect(said).not.toMatch(/declar|in the program/);
    }
    await managed.delete(made);
    expect(await onService(sample, ref)).toBe(countAfterDelete(sample));
  },
);
