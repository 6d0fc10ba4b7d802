import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import { project } from "../../provider/resources/projects/project/project";
import { branch } from "../../provider/resources/branches/branch/branch";
import type { OperationName } from "../../spec/table";
import { startScenario, type Managed, type Scenario } from "../kit/scenario";
import { resourceOf, sampleOf } from "../kit/samples";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

function answer(operation: OperationName, body: unknown): void {
  scenario.emulator.control.addFault({ operation, status: 200, body, times: 1_000 });
}

function setStatus(status: "ACTIVE_UNHEALTHY" | null, of = ref): void {
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(of);
    if (record) record.forcedStatus = status;
  });
}

async function make(type: string, inputs: Values = {}): Promise<[Managed, SettledResource]> {
  const sample = sampleOf(type);
  const managed = scenario.manage(resourceOf(sample));
  const made = await managed.create({ ...sample.inputs(ref), ...inputs });
  scenario.clock.advance(30 * 60_000);
  scenario.nextRun();
  return [managed, made];
}

const KEPT = /stays in Pulumi's state/;
const countWarnings = (): number => scenario.warnings.filter((line) => KEPT.test(line)).length;

describe.each([
  ["SecretSet", "listSecrets", "hashes"],
  ["FunctionSet", "listFunctions", "deployments"],
] as const)("a %s", (type, operation, property) => {
  it("shows what an active project does not list", async () => {
    const [managed, made] = await make(type);
    answer(operation, []);
    expect((await managed.read(made))?.inputs[property]).toEqual({});
    expect(countWarnings()).toBe(0);
  });

  it("shows what an unhealthy project lists without some of it, and keeps all where it lists nothing", async () => {
    const [managed, made] = await make(type);
    setStatus("ACTIVE_UNHEALTHY");
    const [first] = scenario.emulator.control.call(operation, { ref });
    answer(operation, [first]);
    const names = (values: unknown): string[] => Object.keys(values ?? {});
    expect(names((await managed.read(made))?.inputs[property])).toHaveLength(1);
    expect(countWarnings()).toBe(0);
    scenario.emulator.control.clearFaults();
    answer(operation, []);
    scenario.nextRun();
    expect((await managed.read(made))?.inputs[property]).toEqual(made.state[property]);
    expect(countWarnings()).toBe(1);
  });
});

it.each([
  ["ApiKey", "listApiKeys", "name"],
  ["Secret", "listSecrets", "name"],
  ["EdgeFunction", "listFunctions", "slug"],
] as const)(
  "a %s that an unhealthy project does not list stays, whether it lists others or nothing",
  async (type, operation, name) => {
    const [managed, made] = await make(type);
    setStatus("ACTIVE_UNHEALTHY");
    const [listed] = scenario.emulator.control.call(operation, { ref }) as object[];
    answer(operation, [{ ...listed, [name]: "another", id: "00000000-0000-4000-8000-000000000001" }]);
    expect((await managed.read(made))?.id).toBe(made.id);
    scenario.emulator.control.clearFaults();
    answer(operation, []);
    scenario.nextRun();
    expect((await managed.read(made))?.id).toBe(made.id);
    expect(countWarnings()).toBe(2);
  },
);

it("is known to every resource of a run that takes from the same listing", async () => {
  const [secrets, secret] = await make("Secret");
  const [sets, set] = await make("SecretSet");
  setStatus("ACTIVE_UNHEALTHY");
  answer("listSecrets", []);
  expect((await secrets.read(secret))?.id).toBe(secret.id);
  expect((await sets.read(set))?.inputs["hashes"]).toEqual(set.state["hashes"]);
  expect(scenario.calls("listSecrets")).toBeGreaterThan(0);
  expect(countWarnings()).toBe(1);
});

it("keeps a branch that its unhealthy project does not list, whether it lists others or nothing", async () => {
  const branches = scenario.manage(branch);
  const made = await branches.create({ projectRef: ref, name: "preview" });
  scenario.nextRun();
  setStatus("ACTIVE_UNHEALTHY");
  const others = scenario.emulator.control
    .call("listBranches", { ref })
    .filter(({ project_ref }) => project_ref !== made.id);
  answer("listBranches", []);
  expect((await branches.read(made))?.id).toBe(made.id);
  expect(countWarnings()).toBe(1);
  scenario.emulator.control.clearFaults();
  answer("listBranches", others);
  scenario.nextRun();
  expect((await branches.read(made))?.id).toBe(made.id);
  expect(countWarnings()).toBe(2);
});

describe("the keys, connections and secrets", () => {
  const ASKED = { withKeys: true, withPooler: true };
  const inputsOf: Readonly<Record<string, () => Values>> = {
    project: () => ({ ...sampleOf("Project").inputs(""), ...ASKED }),
    branch: () => ({ projectRef: ref, name: "preview", secrets: { TOKEN: "value" }, ...ASKED }),
  };

  it.each([
    ["project", project],
    ["branch", branch],
  ] as const)("of an unhealthy %s that lists none stay as they are", async (subject, resource) => {
    const managed = scenario.manage(resource);
    const made = await managed.create(inputsOf[subject]?.() ?? {});
    scenario.nextRun();
    const before = await managed.read(made);
    setStatus("ACTIVE_UNHEALTHY", made.id);
    for (const operation of ["listApiKeys", "listPoolerConfigs", "listSecrets"] as const)
      answer(operation, []);
    scenario.nextRun();
    const after = await managed.read(made);
    expect(after?.inputs).toEqual(before?.inputs);
    const { status, previewProjectStatus, ...outputs } = before?.state ?? {};
    expect([status, previewProjectStatus]).toContain("ACTIVE_HEALTHY");
    expect(after?.state).toMatchObject(outputs);
    expect(countWarnings()).toBe(subject === "branch" ? 1 : 0);
  });

  it("of an active project that lists none are gone", async () => {
    const managed = scenario.manage(project);
    const made = await managed.create({ ...sampleOf("Project").inputs(""), ...ASKED });
    for (const operation of ["listApiKeys", "listPoolerConfigs"] as const) answer(operation, []);
    scenario.nextRun();
    const { state } = (await managed.read(made)) ?? { state: {} };
    for (const name of ["publishableKey", "secretKey", "pooledConnectionString"])
      expect(state).not.toHaveProperty(name);
  });
});

describe("an update of what an unhealthy project does not list", () => {
  it.each<[type: string, operation: OperationName, body: unknown, inputs: Values]>([
    ["SecretSet", "listSecrets", [], {}],
    ["FunctionSet", "listFunctions", [], {}],
    ["MigrationSet", "listMigrations", [], { via: "migrations" }],
    ["JitUser", "listJitUsers", { items: [] }, {}],
    [
      "SsoProvider",
      "listSsoProviders",
      { items: [] },
      { attributeMapping: { keys: { mail: { name: "m" } } } },
    ],
  ])("changes nothing of a %s", async (type, operation, body, inputs) => {
    const [managed, made] = await make(type, inputs);
    const change = (): Promise<unknown> =>
      managed.update(made, { ...sampleOf(type).changed(ref), ...inputs });
    setStatus("ACTIVE_UNHEALTHY");
    answer(operation, body);
    scenario.emulator.control.clearCalls();
    await expect(change()).rejects.toThrow(/may still exist\. Nothing was changed\. Run again once/);
    expect(scenario.emulator.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
    scenario.emulator.control.clearFaults();
    setStatus(null);
    scenario.nextRun();
    await change();
  });
});

describe("a create that rests on an empty list", () => {
  const listings: readonly (readonly [type: string, operation: OperationName, body: unknown])[] = [
    ["Secret", "listSecrets", []],
    ["SecretSet", "listSecrets", []],
    ["EdgeFunction", "listFunctions", []],
    ["FunctionSet", "listFunctions", []],
    ["ThirdPartyAuth", "listThirdPartyAuth", []],
    ["JitUser", "listJitUsers", { items: [] }],
  ];
  const create = (type: string, inputs: Values = {}): Promise<SettledResource> => {
    const sample = sampleOf(type);
    return scenario.manage(resourceOf(sample)).create({ ...sample.inputs(ref), ...inputs });
  };
  const listWrites = (): unknown[] =>
    scenario.emulator.control.calls().filter(({ method }) => method !== "GET");

  it.each(listings)(
    "is refused for a %s of a project that stays unhealthy",
    async (type, operation, body) => {
      sampleOf(type).prepare?.(scenario, ref);
      setStatus("ACTIVE_UNHEALTHY");
      answer(operation, body);
      scenario.emulator.control.clearCalls();
      const began = scenario.clock.now();
      await expect(create(type)).rejects.toThrow(
        new RegExp(
          `lists none of what a ${type} can be, but .* is ACTIVE_UNHEALTHY.*Nothing was created`,
          "s",
        ),
      );
      expect(listWrites()).toEqual([]);
      expect(scenario.clock.now() - began).toBeLessThan(120_000);
    },
  );

  it("finds what another made, once the project is active, and changes nothing of it", async () => {
    await create("Secret");
    setStatus("ACTIVE_UNHEALTHY");
    answer("listSecrets", []);
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    const creating = create("Secret", { value: "another", __owner: "acme/other/dev/its" });
    const recovered = scenario.clock.sleep(20_000).then(() => {
      setStatus(null);
      scenario.emulator.control.clearFaults();
    });
    await expect(creating).rejects.toThrow(/already exists/);
    await recovered;
    expect(listWrites()).toEqual([]);
  });

  it("is made in an active project, whose state one call of a run reads", async () => {
    answer("listSecrets", []);
    scenario.emulator.control.clearCalls();
    await create("Secret");
    await create("Secret", { name: "ANOTHER" });
    expect(listWrites()).toHaveLength(2);
    expect(scenario.calls("getProject")).toBe(1);
  });

  it.each<[what: string, type: string, operation: OperationName, reads: number]>([
    ["the token may not read the state", "Secret", "listSecrets", 1],
    ["the service itself refuses a second one", "ApiKey", "listApiKeys", 0],
  ])("goes on to the services of an unhealthy project where %s", async (_, type, operation, reads) => {
    setStatus("ACTIVE_UNHEALTHY");
    answer(operation, []);
    const { control } = scenario.emulator;
    control.addFault({ operation: "getProject", status: 403, times: 100 });
    control.clearCalls();
    const creating = create(type, { timeouts: { create: 30 } });
    await expect(creating).rejects.toThrow(/waiting for the services/);
    expect(control.calls({ operation: "getProject", status: 403 }).length).toBeGreaterThanOrEqual(reads);
  });
});
