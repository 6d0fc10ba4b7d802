import { createResource } from "../../provider/engine/create/create";
import { createBranchRef } from "../kit/branch-ref";
import type { OperationName } from "../../spec/table";
import { countAfterDelete, resourceOf, sampleOf, samples, type Sample } from "../kit/samples";
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
    const made = await managed.create({
      ...{ ...sample.inputs(ref), ...sample.secretInputs },
      __owner: "acme/shop/dev/it",
    });
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
      expect(said).toMatch(/`pulumi state delete 'urn:pulumi:[^']+'`/);
      expect(said).not.toMatch(/declar|in the program/);
    }
    await managed.delete(made);
    expect(await onService(sample, ref)).toBe(countAfterDelete(sample));
  },
);

/** Answers without any setting, where `{}` is none that a read can go on with. */
const WITHOUT_SETTINGS: Readonly<Record<string, unknown>> = {
  PoolerConfig: [{ database_type: "PRIMARY" }],
  NetworkRestrictions: { config: {} },
  JitAccess: { user_id: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50" },
};

function showNothing({ type }: Sample, operation: OperationName): void {
  const body = WITHOUT_SETTINGS[type] ?? {};
  scenario.emulator.control.addFault({ operation, status: 200, body, times: 100 });
}

/** An answer of PostgresConfig has the overrides only: one that it lacks is not set. */
const showingAll = table.filter(([type]) => type !== "PostgresConfig");

it.each(showingAll)(
  "%s keeps what it knows where an active project's answer has no setting",
  async (_type, sample) => {
    const ref = scenario.healthyProject();
    sample.prepare?.(scenario, ref);
    const managed = scenario.manage(resourceOf(sample));
    const made = await managed.create(sample.inputs(ref));
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await managed.read(made);
    const [first] = scenario.emulator.control.calls();
    if (first?.operation === undefined) throw new Error("no operation was called");
    showNothing(sample, first.operation);
    scenario.nextRun();
    const read = await managed.read(made);
    expect(managed.diff(read?.state ?? {}, sample.inputs(ref)).changes).toBe(false);
  },
);

it("does not unset in a delete what no answer has shown", async () => {
  const ref = scenario.healthyProject();
  scenario.emulator.control.call("updateRealtimeConfig", { ref, body: { max_concurrent_users: 300 } });
  const sample = sampleOf("RealtimeConfig");
  const managed = scenario.manage(resourceOf(sample));
  showNothing(sample, "getRealtimeConfig");
  const made = await managed.create({ projectRef: ref, maxConcurrentUsers: 500 });
  scenario.emulator.control.clearFaults();
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await managed.delete(made);
  expect(scenario.calls("updateRealtimeConfig")).toBe(0);
});
