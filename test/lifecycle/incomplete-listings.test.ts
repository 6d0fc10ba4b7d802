import type { CallRecord } from "../../emulator/service/world/call-record";
import { LIST_FIELDS, PAGED, WHOLE_ANSWERS } from "../../provider/define/listings";
import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import type { OperationName } from "../../spec/table";
import { invoke } from "../functions/invoke";
import { isConfiguration, resourceOf, sampleOf, samples } from "../kit/samples";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../kit/scenario";

const fields: Readonly<Partial<Record<OperationName, string>>> = {
  ...LIST_FIELDS,
  ...Object.fromEntries(PAGED.map((name) => [name, ""])),
  ...Object.fromEntries(Object.values(WHOLE_ANSWERS).map(([operation, [field]]) => [operation, field])),
  listOrganizationProjects: "projects",
  listOrganizationWebhookEndpoints: "data",
  listProjectWebhookEndpoints: "data",
  listSnippets: "data",
};
const isListing = (name: string | undefined): name is OperationName => name !== undefined && name in fields;
/** Listings that some case below has met. */
const met = new Set<OperationName>();

/** Answers with 200 that do not tell what there is. */
function halfAnswers(operation: OperationName): unknown[] {
  const field = fields[operation] ?? "";
  const lists = [null, "none", {}, [{}], ["x"], [null]];
  if (field === "") return lists;
  const wrapped = [{}, [], ...lists.map((list) => ({ [field]: list }))];
  if (operation !== "listOrganizationProjects") return wrapped;
  // A page that was cut, and one that comes again and again.
  const pagination = { count: 200, limit: 100, offset: 0 };
  return [
    ...wrapped,
    ...[[], [{ ref: "a".repeat(20), name: "other" }]].map((projects) => ({ projects, pagination })),
  ];
}

interface Place {
  readonly operation: OperationName;
  /** Whether the step has sent something before. */
  readonly isAfterWrite: boolean;
}

function listingsIn(calls: readonly CallRecord[]): Place[] {
  const firstWrite = calls.findIndex(({ method }) => method !== "GET");
  const places = new Map<OperationName, Place>();
  calls.forEach(({ operation }, index) => {
    if (!isListing(operation) || places.has(operation)) return;
    met.add(operation);
    places.set(operation, { operation, isAfterWrite: firstWrite >= 0 && index > firstWrite });
  });
  return [...places.values()];
}

/** What only a create asks for, of a thing that it has made: test/lifecycle/functions/inherited-functions.test.ts. */
const ASKED_BY_NO_UPDATE = ["listFunctions"];

const sized = (size: string) => (): Values => ({
  ...sampleOf("Project").inputs(""),
  instanceSize: size,
  withPooler: true,
});
const withSize = { ...sampleOf("Project"), inputs: sized("small"), changed: sized("medium") };

describe.each([...samples, withSize].map((sample) => [sample.type, sample] as const))("a %s", (_, sample) => {
  let scenario: Scenario;
  let managed: Managed;
  let projectRef: string;
  let inputs: Values;
  beforeEach(async () => {
    scenario = await startScenario({ pace: 0.1 });
    projectRef = scenario.healthyProject();
    sample.prepare?.(scenario, projectRef);
    managed = scenario.manage(resourceOf(sample));
    inputs = sample.inputs(projectRef);
  });
  afterEach(() => scenario.close());

  const there = async (): Promise<number> => (await sample.onService(scenario, projectRef)).length;
  /** Which listings a step asks for. */
  const placesOf = async (step: () => Promise<unknown>): Promise<Place[]> => {
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await step();
    return listingsIn(scenario.emulator.control.calls());
  };
  const underEach = async (
    places: readonly Place[],
    check: (place: Place) => Promise<void>,
  ): Promise<void> => {
    for (const place of places) {
      for (const body of halfAnswers(place.operation)) {
        const { control } = scenario.emulator;
        scenario.clock.advance(60_000);
        scenario.nextRun();
        control.addFault({ operation: place.operation, status: 200, body, times: 1_000 });
        await check(place).catch((error: unknown) => {
          throw new Error(`${place.operation} ${JSON.stringify(body)}: ${String(error)}`);
        });
        control.clearFaults();
      }
    }
  };
  const failing = async (work: Promise<unknown>): Promise<void> => {
    const outcome = await work.then(
      (value) => `no failure: ${JSON.stringify(value)}`,
      () => "failed",
    );
    expect(outcome).toBe("failed");
  };

  it("is neither made a second time nor shown as gone nor said to be removed", async () => {
    let made: SettledResource | undefined;
    const creating = await placesOf(async () => {
      made = await managed.create(inputs);
    });
    const known = made as unknown as SettledResource;
    const count = await there();
    const asked = creating.filter(
      ({ operation }) => sample.type !== "Branch" || !ASKED_BY_NO_UPDATE.includes(operation),
    );
    await underEach(asked, async ({ isAfterWrite }) => {
      // What is asked for after the write belongs to a thing that exists.
      const again = isAfterWrite ? managed.update(known, sample.changed(projectRef)) : undefined;
      await failing(again ?? managed.create({ ...inputs, __owner: SOMEBODY }));
      expect(await there()).toBe(count);
    });
    const reading = await placesOf(() => managed.read(known));
    await underEach(reading, () => failing(managed.read(known)));
    const removing = await placesOf(async () => {
      // With a fault that the listing itself does not survive, the delete tells what it asks for.
      const methods = isConfiguration(sample)
        ? (["PATCH", "DELETE"] as const)
        : (["DELETE", "POST"] as const);
      for (const method of methods) {
        scenario.emulator.control.addFault({ method, status: 403, times: 50 });
      }
      await managed.delete(known).catch(() => undefined);
      scenario.emulator.control.clearFaults();
    });
    await underEach(removing, async () => {
      await failing(managed.delete(known));
      expect(await there()).toBe(count);
    });
  });
});

describe("functions", () => {
  let scenario: Scenario;
  let projectRef: string;
  beforeEach(async () => {
    scenario = await startScenario();
    projectRef = scenario.healthyProject();
  });
  afterEach(() => scenario.close());

  const endpointId = "0f8fad5b-d9cb-469f-a165-70867728950e";

  it.each<[string, (ref: string) => Values]>([
    ["getApiKeys", (ref) => ({ projectRef: ref })],
    ["getSigningKeys", (ref) => ({ projectRef: ref })],
    ["getSsoProviders", (ref) => ({ projectRef: ref })],
    ["getEdgeFunctions", (ref) => ({ projectRef: ref })],
    ["getBillingAddons", (ref) => ({ projectRef: ref })],
    ["getMembers", () => ({ organizationSlug: "acme" })],
    ["getNetworkBans", (ref) => ({ projectRef: ref })],
    ["getOrganizations", () => ({})],
    ["getPoolerConfig", (ref) => ({ projectRef: ref })],
    ["getActionRuns", (ref) => ({ projectRef: ref })],
    ["getBuckets", (ref) => ({ projectRef: ref })],
    ["getMigrations", (ref) => ({ projectRef: ref })],
    ["getBranch", (ref) => ({ projectRef: ref, name: "preview" })],
    ["getBackups", (ref) => ({ projectRef: ref })],
    ["getJitUsers", (ref) => ({ projectRef: ref })],
    ["getRestoreVersions", (ref) => ({ projectRef: ref })],
    ["getSnippets", () => ({})],
    ["getProjects", () => ({ organizationSlug: "acme" })],
    ["getProject", () => ({ organizationSlug: "acme", name: "app" })],
    ["getWebhookDeliveries", (ref) => ({ projectRef: ref, endpointId })],
    ["getWebhookDeliveries", () => ({ organizationSlug: "acme", endpointId })],
    ["getEntitlements", () => ({ organizationSlug: "acme" })],
  ])("%s fails", async (name, given) => {
    const { control } = scenario.emulator;
    await invoke(scenario, name, given(projectRef)).catch(() => undefined);
    const places = listingsIn(control.calls());
    expect(places).not.toEqual([]);
    for (const { operation } of places) {
      for (const body of halfAnswers(operation)) {
        scenario.nextRun();
        control.addFault({ operation, status: 200, body, times: 1_000 });
        const result = invoke(scenario, name, given(projectRef));
        await expect(result).rejects.toThrow(operation);
        control.clearFaults();
        scenario.clock.advance(60_000);
      }
    }
  });
});

it("does not take a secret for gone whose project is in no whole listing of projects", async () => {
  const scenario = await startScenario();
  const sample = sampleOf("Secret");
  const secrets = scenario.manage(resourceOf(sample));
  const { control } = scenario.emulator;
  const made = await secrets.create(sample.inputs(scenario.healthyProject()));
  for (const body of halfAnswers("listProjects")) {
    scenario.nextRun();
    for (const operation of ["getProject", "getBranchConfig", "listSecrets"] as const)
      control.addFault({ operation, status: 404, message: "Not found", times: 1_000 });
    control.addFault({ operation: "listProjects", status: 200, body, times: 1_000 });
    const kept = await secrets.read(made).then(
      (read) => read !== undefined,
      () => true,
    );
    expect([body, kept]).toEqual([body, true]);
    control.clearFaults();
  }
  met.add("listProjects");
  await scenario.close();
});

// Every listing that handlers can ask for is met by a case.
afterAll(() => {
  expect([...met].sort()).toEqual(Object.keys(fields).sort());
});
