import { takeInventory } from "../../import/inventory";
import { allResources } from "../../provider/catalog/catalog";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario({ pace: 0 });
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

/** The types of which the inventory says that an empty list proves nothing. */
async function listUnproven(status: "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" | "INACTIVE"): Promise<string[]> {
  scenario.emulator.control.set(["projects", ref, "forcedStatus"], status);
  scenario.nextRun();
  const { failed } = await takeInventory(scenario.runtime, { projectRef: ref });
  return failed.filter(({ why }) => why.includes(`the project is ${status}`)).map(({ type }) => type);
}

it("an import says which lists of a project that is not active are empty", async () => {
  expect(await listUnproven("ACTIVE_HEALTHY")).toEqual([]);
  const unhealthy = await listUnproven("ACTIVE_UNHEALTHY");
  expect(unhealthy).toEqual(expect.arrayContaining(["Branch", "EdgeFunction", "Secret", "SsoProvider"]));
  // What every project has one of is read, and not listed.
  const listed = allResources().filter(({ list }) => list !== undefined);
  expect(listed.map(({ type }) => type)).toEqual(expect.arrayContaining(unhealthy));
  expect(await listUnproven("INACTIVE")).toEqual(expect.arrayContaining(["ApiKey", "Secret"]));
});

it("it does not say so of a list with something in it", async () => {
  const body = [{ name: "TOKEN", value: "value" }];
  scenario.emulator.control.call("createSecrets", { ref, body });
  expect(await listUnproven("ACTIVE_UNHEALTHY")).not.toContain("Secret");
});
