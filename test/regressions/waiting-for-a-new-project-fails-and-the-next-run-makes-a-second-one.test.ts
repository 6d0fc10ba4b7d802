import { InitializationError } from "../../provider/lifecycle/errors";
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

async function failedCreate(): Promise<InitializationError> {
  const error: unknown = await scenario
    .manage(project)
    .create(shop)
    .catch((failure: unknown) => failure);
  if (error instanceof InitializationError) return error;
  throw new Error(`not an initialization error: ${String(error)}`);
}

it("goes on through single refusals while the project starts", async () => {
  scenario.emulator.control.addFault({ operation: "getProject", status: 403, times: 2 });
  const made = await scenario.manage(project).create(shop);
  expect(made.state).toMatchObject({ status: "ACTIVE_HEALTHY" });
  expect(refs()).toEqual([made.id]);
});

it("keeps the ref in state when polling is refused for good, and resumes in the next run", async () => {
  scenario.emulator.control.addFault({ operation: "getProject", status: 403, times: 20 });
  const half = await failedCreate();
  expect(refs()).toEqual([half.id]);
  expect(half.state).toMatchObject({ ref: half.id, name: "shop" });
  scenario.emulator.control.clearFaults();
  scenario.nextRun();
  const managed = scenario.manage(project);
  expect(managed.diff(half.state, shop).changes).toBe(true);
  const made = await managed.update({ id: half.id, state: half.state }, shop);
  expect(made.state).toMatchObject({ status: "ACTIVE_HEALTHY" });
  expect(refs()).toEqual([half.id]);
});

it("keeps a project that cannot be started in state, and every run reports it until it is deleted", async () => {
  scenario.emulator.control.edit((state) => {
    for (const organization of state.organizations.values()) organization.nextProjectOutcome = "INIT_FAILED";
  });
  const half = await failedCreate();
  expect(half.message).toContain("INIT_FAILED");
  scenario.nextRun();
  const managed = scenario.manage(project);
  const made = { id: half.id, state: half.state };
  await expect(managed.update(made, shop)).rejects.toThrow("INIT_FAILED");
  expect(refs()).toEqual([half.id]);
  await managed.delete(made);
  expect(await managed.read(made)).toBeUndefined();
});
