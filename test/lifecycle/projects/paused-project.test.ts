import { resourceByType } from "../../../provider/catalog/catalog";
import type { SettledResource } from "../../../provider/engine/create/create";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { sampleOf } from "../../kit/samples";

let scenario: Scenario;
let projects: Managed;
let project: SettledResource;
const shop = { ...sampleOf("Project").inputs(""), organizationSlug: "hobby" };

beforeEach(async () => {
  scenario = await startScenario();
  projects = scenario.manage(resourceByType("Project"));
  project = await projects.create(shop);
});
afterEach(() => scenario.close());

const statusOf = (ref: string): string => scenario.emulator.control.call("getProject", { ref }).status;

/** What somebody does in the console. */
function pauseOutside(ref: string): void {
  scenario.emulator.control.call("pauseProject", { ref });
  scenario.clock.advance(120_000);
  scenario.nextRun();
}

it("keeps in a refresh what it does not show, at once and with one warning", async () => {
  const types = ["ApiKey", "SigningKey", "SsoProvider", "Migration", "RestLayerConfig", "Secret"];
  const made: [Managed, SettledResource][] = [];
  for (const type of types) {
    const sample = sampleOf(type);
    sample.prepare?.(scenario, project.id);
    const managed = scenario.manage(resourceByType(type));
    made.push([managed, await managed.create(sample.inputs(project.id))]);
  }
  pauseOutside(project.id);
  const began = scenario.clock.now();
  const read = await Promise.all(made.map(([managed, each]) => managed.read(each)));
  expect(read.map((each) => each?.id)).toEqual(made.map(([, { id }]) => id));
  expect(scenario.clock.now() - began).toBeLessThan(10_000);
  const kept = scenario.warnings.filter((line) => line.includes("stays in Pulumi's state"));
  expect(kept).toEqual([expect.stringContaining(`the project ${project.id} is INACTIVE`)]);
});

it("is paused again where the service does not take that right after a restore", async () => {
  pauseOutside(project.id);
  await projects.update(project, { ...shop, paused: false });
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await projects.update(project, { ...shop, paused: true });
  expect(statusOf(project.id)).toBe("INACTIVE");
  expect(scenario.calls("pauseProject")).toBeGreaterThan(1);
});

it("is given up after a minute where the service never takes the pause", async () => {
  const refusal = { operation: "pauseProject", status: 400, message: "Please try again later" } as const;
  scenario.emulator.control.addFault({ ...refusal, times: 1_000 });
  const began = scenario.clock.now();
  await expect(projects.update(project, { ...shop, paused: true })).rejects.toThrow("Please try again later");
  expect(scenario.clock.now() - began).toBeLessThan(120_000);
});

it("says that it has to be restored where its deletion is refused, and is deleted then", async () => {
  pauseOutside(project.id);
  const refusal = { operation: "deleteProject", status: 400, message: "Project is paused" } as const;
  scenario.emulator.control.addFault(refusal);
  await expect(projects.delete(project)).rejects.toThrow(
    /paused project .* was not deleted: .*Project is paused.*Declare `paused: false`/,
  );
  await projects.update(project, { ...shop, paused: false });
  scenario.nextRun();
  await projects.delete(project);
  expect(scenario.emulator.world.state.projects.get(project.id)?.activity.kind).not.toBe("rest");
});

it("is not taken for active by a run that has paused it since", async () => {
  const keys = scenario.manage(resourceByType("ApiKey"));
  const [first, second] = [
    await keys.create({ projectRef: project.id, type: "secret", name: "first" }),
    await keys.create({ projectRef: project.id, type: "secret", name: "second" }),
  ];
  scenario.nextRun();
  scenario.emulator.control.call("deleteApiKey", { ref: project.id, id: first.id });
  expect(await keys.read(first)).toBeUndefined();
  await projects.update(project, { ...shop, paused: true });
  scenario.emulator.control.addFault({
    operation: "deleteApiKey",
    status: 404,
    message: "Not found",
    times: 9,
  });
  await expect(keys.delete(second)).rejects.toThrow("INACTIVE");
});
