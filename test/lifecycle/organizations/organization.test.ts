import { createdAsAdvised } from "../as-advised";
import { resourceByType } from "../../../provider/catalog/catalog";
import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { organization } from "../../../provider/resources/organizations/organization/organization";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let organizations: Managed;

beforeEach(async () => {
  scenario = await startScenario();
  organizations = scenario.manage(organization);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ name: "Platform", ...more });
const named = (name: string): string[] =>
  scenario.emulator.control
    .call("listOrganizations", {})
    .flatMap((each) => (each.name === name ? [each.slug] : []));
const renameOutside = (name: string): void =>
  scenario.emulator.control.edit((state) => {
    const found = state.organizations.get("platform");
    if (found) found.name = name;
  });

it("takes a change of the plan for no drift, and stays on the service with a warning", async () => {
  const made = await organizations.create(declared());
  expect(made).toMatchObject({
    id: "platform",
    state: { slug: "platform", plan: "free", optInTags: [], allowedReleaseChannels: ["ga"] },
  });
  expect(named("Platform")).toEqual(["platform"]);

  scenario.emulator.control.edit((state) => {
    const found = state.organizations.get("platform");
    if (found) found.plan = "pro";
  });
  scenario.nextRun();
  const upgraded = await organizations.read(made);
  expect(upgraded?.state).toMatchObject({ plan: "pro" });
  expect(organizations.diff(upgraded?.state ?? {}, declared()).changes).toBe(false);

  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await organizations.delete(made);
  expect(scenario.warnings.join("\n")).toContain("the organization platform was not deleted");
  expect(scenario.calls()).toBe(0);
  expect(named("Platform")).toEqual(["platform"]);
});

it("refuses a rename in the preview, with the reason", () => {
  const failures = (before: Values | undefined, name: string): string[] =>
    checkInputs(resourceByType("Organization"), { name }, before).failures.map(
      ({ path, reason }) => `${path}: ${reason}`,
    );
  expect(failures({ name: "Platform" }, "Base")).toEqual([
    expect.stringContaining('name: the API cannot rename an organization: its name is "Platform"'),
  ]);
  expect(failures({ name: "Platform" }, "Platform")).toEqual([]);
  expect(failures(undefined, "Base")).toEqual([]);
});

it("neither renames nor makes a second one where the preview did not know the name", async () => {
  const made = await organizations.create(declared());
  await expect(organizations.update(made, declared({ name: "Base" }))).rejects.toThrow("cannot rename");
  expect(scenario.calls("createOrganization")).toBe(1);
});

it("shows a rename in the console, and goes on once the program has the new name", async () => {
  const made = await organizations.create(declared());
  renameOutside("Base");
  scenario.nextRun();
  const read = await organizations.read(made);
  expect(read?.inputs).toMatchObject({ name: "Base" });
  expect(organizations.diff(read?.state ?? {}, declared()).changes).toBe(true);
  const before = read?.inputs;
  expect(checkInputs(resourceByType("Organization"), declared(), before).failures).toHaveLength(1);
  expect(organizations.diff(read?.state ?? {}, declared({ name: "Base" })).changes).toBe(false);
});

it("makes no second one of the name, and takes over the one that is there where that is asked for", async () => {
  scenario.emulator.control.call("createOrganization", { body: { name: "Platform" } });
  await expect(organizations.create(declared())).rejects.toThrow(/already exists: platform \(Platform\)/);
  scenario.nextRun();
  const adopted = await organizations.create(declared({ adopt: true }));
  expect(adopted).toMatchObject({ id: "platform", state: { plan: "free" } });
  expect(scenario.calls("createOrganization")).toBe(0);
  scenario.nextRun();
  const byId = organizations.create(declared({ name: "Base", adoptId: "platform" }));
  await expect(byId).rejects.toThrow('its name is "Platform"');
});

it("names all of one name where several are there", async () => {
  for (let count = 0; count < 2; count += 1)
    scenario.emulator.control.call("createOrganization", { body: { name: "Platform" } });
  await expect(organizations.create(declared({ adopt: true }))).rejects.toThrow(/platform .*platform-2/);
});

it("is made once where the first answer got lost, and kept as the error says", async () => {
  scenario.emulator.control.addFault({ operation: "createOrganization", drop: "after" });
  const made = await createdAsAdvised(scenario, organizations, declared());
  expect(made.id).toBe("platform");
  expect(named("Platform")).toEqual(["platform"]);
});

it("is read although the service does not show it for a moment", async () => {
  scenario.emulator.control.addFault({ operation: "getOrganization", status: 404, times: 2 });
  const made = await organizations.create(declared());
  expect(made.state).toMatchObject({ plan: "free" });
});

it("takes a listing that is not there for no answer", async () => {
  scenario.emulator.control.addFault({ operation: "listOrganizations", status: 404, times: 10 });
  await expect(organizations.create(declared())).rejects.toThrow("belongs to no project");
  expect(named("Platform")).toEqual([]);
});

it("stays in the state, as no answer of the service proves that an organization is gone", async () => {
  const made = await organizations.create(declared());
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "getOrganization", status: 403 });
  await expect(organizations.read(made)).rejects.toThrow();
  scenario.emulator.control.edit((state) => void state.organizations.delete("platform"));
  await expect(organizations.read(made)).rejects.toThrow("does not prove that it was deleted");
});

it("refuses a name that the service would change", () => {
  for (const name of ["", " Platform", "Platform ", "x".repeat(257)])
    expect(organizations.failures({ name })[0]).toMatch(/^name: /);
});
