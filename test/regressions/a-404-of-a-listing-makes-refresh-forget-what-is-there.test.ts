import { LIST_FIELDS, PAGED } from "../../provider/define/listings";
import type { Made } from "../../provider/lifecycle/operations/create";
import { operations, type OperationName } from "../../spec/table";
import { countAfterDelete, resourceOf, sampleOf, samples, type Sample } from "../lifecycle/samples";
import { startScenario, type Managed, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  // An account whose listing is empty says nothing.
  scenario.healthyProject("another");
});
afterEach(() => scenario.close());

/** Whether the operation reads what a project has as a whole: a collection, or a configuration. */
const listings: readonly string[] = [...Object.keys(LIST_FIELDS), ...PAGED];
const ofEveryProject = /^\/v1\/projects\/\{ref\}\/[^{]+$/;
const isPart = (name: OperationName): boolean =>
  listings.includes(name) || ofEveryProject.test(operations[name].path);

/** No operation shows these: they are there as long as the project is. */
const isUnseen = (sample: Sample): boolean =>
  ["DatabaseWebhooks", "LoginRole"].includes(sample.type) || resourceOf(sample).isAction === true;
/** A 404 is how the service says that a project has none. */
const isAlone = ({ type }: Sample): boolean =>
  type.startsWith("CustomHostname") || type === "ProjectClaimToken";
const inProject = samples.filter((sample) => sample.needsProject && !isAlone(sample) && !isUnseen(sample));

function refuse(operation: OperationName, status = 404): void {
  scenario.emulator.control.addFault({ operation, status, message: "Not found", times: 1_000 });
}

describe.each(inProject.map((sample) => [sample.type, sample] as const))("a %s", (_, sample) => {
  let managed: Managed;
  let made: Made;
  let read: OperationName[];
  beforeEach(async () => {
    const { control } = scenario.emulator;
    sample.prepare?.(scenario, projectRef);
    managed = scenario.manage(resourceOf(sample));
    made = await managed.create(sample.inputs(projectRef));
    scenario.nextRun();
    control.clearCalls();
    await managed.read(made);
    const called = control.calls().flatMap(({ operation = [] }) => operation);
    read = [...new Set(called.filter((operation) => isPart(operation)))];
    scenario.nextRun();
  });
  const there = async (): Promise<number> => (await sample.onService(scenario, projectRef)).length;

  it("stays in state, and destroy does not succeed while it stays", async () => {
    expect(read).not.toEqual([]);
    for (const operation of read) {
      refuse(operation);
      await expect(managed.read(made)).rejects.toThrow(/treated as still present/);
    }
    await managed.delete(made).then(
      async () => expect(await there()).toBe(countAfterDelete(sample)),
      async () => expect(await there()).toBe(1),
    );
  });

  it("is gone with its project, a moment later and long after", async () => {
    scenario.emulator.control.call("deleteProject", { ref: projectRef });
    for (const laterMs of [60_000, 60 * 60_000]) {
      scenario.clock.advance(laterMs);
      scenario.nextRun();
      expect(await managed.read(made)).toBeUndefined();
      await managed.delete(made);
    }
  });

  it.each([403, 500])("is not gone when its project answers %d", async (status) => {
    for (const operation of read) refuse(operation);
    refuse("getProject", status);
    await expect(managed.read(made)).rejects.toThrow(/is not known|does not list|getProject failed/);
  });
});

it("asks once for a project that is gone, however many secrets it had", async () => {
  const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, index) => secrets.create({ projectRef, name: `S_${index}`, value: "v" })),
  );
  scenario.emulator.control.call("deleteProject", { ref: projectRef });
  scenario.clock.advance(60 * 60_000);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  expect(await Promise.all(made.map((each) => secrets.read(each)))).toEqual(made.map(() => undefined));
  expect(scenario.calls()).toBe(7);
});

describe("what belongs to a branch", () => {
  it("stays while the branch is there, and is gone with it", async () => {
    const branches = scenario.manage(resourceOf(sampleOf("Branch")));
    const branch = await branches.create({ projectRef, name: "preview" });
    const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
    const made = await secrets.create({ projectRef: branch.id, name: "TOKEN", value: "value" });
    scenario.nextRun();
    refuse("listSecrets");
    await expect(secrets.read(made)).rejects.toThrow("exists, so its objects are treated as still present");
    scenario.emulator.control.clearFaults();
    scenario.nextRun();
    await branches.delete(branch);
    expect(await secrets.read(made)).toBeUndefined();
  });
});

describe("an SSO provider whose project has SAML switched off", () => {
  const setSaml = (isEnabled: boolean): void =>
    scenario.emulator.control.edit(({ auth, projects }) => {
      auth.ssoNeedsSaml = true;
      const project = projects.get(projectRef);
      if (project) project.auth.config.saml_enabled = isEnabled;
    });
  const providers = (): unknown[] => [
    ...(scenario.emulator.world.state.projects.get(projectRef)?.ssoProviders.values() ?? []),
  ];

  it("is neither forgotten nor said to be removed nor made again; with SAML it goes on", async () => {
    const managed = scenario.manage(resourceOf(sampleOf("SsoProvider")));
    const inputs = sampleOf("SsoProvider").inputs(projectRef);
    const made = await managed.create(inputs);
    scenario.nextRun();
    setSaml(false);
    await expect(managed.read(made)).rejects.toThrow("SAML is not enabled");
    await expect(managed.update(made, sampleOf("SsoProvider").changed(projectRef))).rejects.toThrow(
      "SAML is not enabled",
    );
    await expect(managed.delete(made)).rejects.toThrow("SAML is not enabled");
    await expect(managed.create(inputs)).rejects.toThrow("SAML is not enabled");
    expect(providers()).toHaveLength(1);

    setSaml(true);
    scenario.nextRun();
    const read = await managed.read(made);
    expect(managed.diff(read?.state ?? {}, inputs).changes).toBe(false);
    await managed.delete(made);
    expect(providers()).toEqual([]);
    await managed.delete(made);
  });

  it("is not gone while the listing shows it, whatever a look at it says", async () => {
    const managed = scenario.manage(resourceOf(sampleOf("SsoProvider")));
    const xml = '<md:EntityDescriptor entityID="https://idp.example.org"></md:EntityDescriptor>';
    const inputs = { projectRef, type: "saml", metadataXml: xml };
    const made = await managed.create(inputs);
    scenario.nextRun();
    const listed = scenario.emulator.control.call("listSsoProviders", { ref: projectRef });
    const items = listed.items.map(({ saml, ...rest }) => ({
      ...rest,
      saml: { id: saml?.id, entity_id: saml?.entity_id },
    }));
    const { control } = scenario.emulator;
    control.addFault({ operation: "listSsoProviders", status: 200, body: { items }, times: 5 });
    control.addFault({ operation: "getSsoProvider", status: 404, message: "Not found", times: 5 });
    await expect(managed.read(made)).rejects.toThrow("still has it");
  });
});

it("a project is removed though its branches are not listed, and that is told", async () => {
  const projects = scenario.manage(resourceOf(sampleOf("Project")));
  const made = await projects.create(sampleOf("Project").inputs(""));
  scenario.nextRun();
  refuse("listBranches");
  await projects.delete(made);
  expect(scenario.warnings.join("\n")).toContain("its branches were not deleted first");
});

it("an organization whose listing answers 404 has no free name", async () => {
  const projects = scenario.manage(resourceOf(sampleOf("Project")));
  refuse("listOrganizationProjects");
  await expect(projects.create(sampleOf("Project").inputs(""))).rejects.toThrow("organization acme exists");
  expect(scenario.calls("createProject")).toBe(0);
});
