import { branch } from "../../provider/resources/branches/branch/branch";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

it("has no value of its parent, from its first answer to its end", async () => {
  const managed = scenario.manage(branch);
  const made = await managed.create({ projectRef, name: "preview" });
  const parent = scenario.emulator.world.state.projects.get(projectRef);
  const host = scenario.emulator.control.call("getProject", { ref: projectRef }).database.host;
  const { projectRef: declared, parentProjectRef, __declared, ...own } = made.state;
  expect([declared, parentProjectRef]).toEqual([projectRef, projectRef]);
  expect(__declared).toBeDefined();
  expect(Object.values(own)).not.toContain(projectRef);
  expect(Object.values(own)).not.toContain(host);
  expect(Object.values(own)).not.toContain(parent?.dbPass);
  expect(Object.values(own)).not.toContain(parent?.jwtSecret);
});

it("has no connection at all while the branch's own is not told", async () => {
  const managed = scenario.manage(branch);
  const made = await managed.create({ projectRef, name: "preview" });
  scenario.emulator.control.addFault({ operation: "getBranchConfig", status: 404 });
  scenario.nextRun();
  const read = await managed.read(made);
  for (const name of ["host", "port", "user", "password", "jwtSecret"]) {
    expect(read?.state[name]).toBeUndefined();
  }
});

it("is gone when it is missing, not replaced by its parent", async () => {
  const managed = scenario.manage(branch);
  const made = await managed.create({ projectRef, name: "preview" });
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: made.id });
  scenario.nextRun();
  expect(await managed.read(made)).toBeUndefined();
});
