import type { Values } from "../../provider/lifecycle/state";
import { project } from "../../provider/resources/projects/project/project";
import { startScenario, type Scenario } from "../lifecycle/scenario";

const shop: Values = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "first-password",
  region: "eu-central-1",
};

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const refs = (): string[] => [...scenario.emulator.world.state.projects.keys()];

it.each([
  ["a 500 after the work", { status: 500, after: true }],
  ["a connection closed after the work", { drop: "after" }],
] as const)("finds the project that was made in spite of %s", async (_name, fault) => {
  scenario.emulator.control.addFault({ operation: "createProject", ...fault });
  const made = await scenario.manage(project).create(shop);
  expect(refs()).toEqual([made.id]);
  expect(scenario.calls("createProject")).toBe(1);
});

it.each([
  ["a 500", { status: 500 }],
  ["a connection closed before the work", { drop: "before" }],
] as const)("asks again when the project was not made because of %s", async (_name, fault) => {
  scenario.emulator.control.addFault({ operation: "createProject", ...fault });
  const made = await scenario.manage(project).create(shop);
  expect(refs()).toEqual([made.id]);
  expect(scenario.calls("createProject")).toBe(2);
});

it("tells the new project from an older one of its name", async () => {
  const older = scenario.healthyProject("shop");
  scenario.emulator.control.addFault({ operation: "createProject", status: 502, after: true });
  const made = await scenario.manage(project).create({ ...shop, allowDuplicateName: true });
  expect(made.id).not.toBe(older);
  expect(refs().sort()).toEqual([made.id, older].sort());
});
