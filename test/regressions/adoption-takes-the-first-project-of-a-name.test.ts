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

it("names all candidates when there is more than one, and takes none", async () => {
  const refs = [scenario.healthyProject("shop"), scenario.healthyProject("shop")];
  scenario.healthyProject("shopping");
  const failure = await scenario
    .manage(project)
    .create({ ...shop, adopt: true })
    .catch((error: unknown) => String(error));
  for (const ref of refs) expect(failure).toContain(ref);
  expect(failure).toContain("adopt");
  expect([...scenario.emulator.world.state.projects.values()].map(({ dbPass }) => dbPass)).toEqual([
    "initial-password",
    "initial-password",
    "initial-password",
  ]);
});

it("takes the one that is named by its ref", async () => {
  const [first] = [scenario.healthyProject("shop"), scenario.healthyProject("shop")];
  const made = await scenario.manage(project).create({ ...shop, adoptId: first });
  expect(made.id).toBe(first);
});

it("does not make a second project of a name unless that is declared", async () => {
  const ref = scenario.healthyProject("shop");
  const managed = scenario.manage(project);
  await expect(managed.create(shop)).rejects.toThrow(`adoptId: "${ref}"`);
  expect(scenario.calls("createProject")).toBe(0);
  const made = await managed.create({ ...shop, allowDuplicateName: true });
  expect(made.id).not.toBe(ref);
});

it("counts neither branches nor projects that are going down", async () => {
  const ref = scenario.healthyProject("shop");
  scenario.emulator.control.call("createBranch", { ref, body: { branch_name: "shop" } });
  scenario.clock.advance(600_000);
  scenario.emulator.control.call("deleteProject", { ref });
  const made = await scenario.manage(project).create(shop);
  expect(made.id).not.toBe(ref);
});
