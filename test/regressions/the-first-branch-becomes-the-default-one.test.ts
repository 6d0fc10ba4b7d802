import { branch } from "../../provider/resources/branches/branch/branch";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

function defaultBranch(): { readonly ref: string; readonly name: string } {
  const found = scenario.emulator.control
    .call("listBranches", { ref: projectRef })
    .find(({ is_default }) => is_default);
  if (found === undefined) throw new Error("there is no default branch");
  return { ref: found.project_ref, name: found.name };
}

it("tells that a default branch comes beside the first one, and never takes it for ours", async () => {
  const managed = scenario.manage(branch);
  const made = await managed.create({ projectRef, name: "preview" });
  expect(scenario.infos.join("\n")).toContain("also creates a default branch");
  expect(made.id).not.toBe(defaultBranch().ref);
  expect(made.state).toMatchObject({ isDefault: false });
  await managed.delete(made);
});

it("finds the new branch, not the default one, after a lost answer", async () => {
  scenario.emulator.control.addFault({ operation: "createBranch", drop: "after" });
  const made = await scenario.manage(branch).create({ projectRef, name: "preview" });
  expect(made.id).not.toBe(defaultBranch().ref);
  expect(scenario.calls("createBranch")).toBe(1);
});

it("refuses to make, adopt or delete the default branch, before any call changes anything", async () => {
  const managed = scenario.manage(branch);
  const made = await managed.create({ projectRef, name: "preview" });
  const { ref, name } = defaultBranch();
  scenario.nextRun();
  await managed.read(made);
  scenario.emulator.control.clearCalls();
  const inputs = { projectRef, name: name, gitBranch: "release" };
  await expect(managed.create(inputs)).rejects.toThrow("is the default branch");
  await expect(managed.create({ ...inputs, adopt: true })).rejects.toThrow("is the default branch");
  await expect(managed.create({ ...inputs, adoptId: ref })).rejects.toThrow("is the default branch");
  await expect(managed.delete({ id: ref, state: inputs })).rejects.toThrow("is the default branch");
  const methods = scenario.emulator.control.calls().map(({ method }) => method);
  expect(new Set(methods)).toEqual(new Set(["GET"]));
});
