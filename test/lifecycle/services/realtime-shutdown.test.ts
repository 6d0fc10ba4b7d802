import { realtimeShutdown } from "../../../provider/actions/services/realtime-shutdown";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let shutdowns: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  shutdowns = scenario.manage(realtimeShutdown);
});
afterEach(() => scenario.close());

const realtime = () => scenario.emulator.world.state.projects.get(ref)?.realtime;

it("ends the connections once: those that are made afterwards stay", async () => {
  scenario.emulator.control.set(`projects.${ref}.realtime.connections`, 12);
  const made = await shutdowns.create({ projectRef: ref });
  expect(realtime()).toMatchObject({ connections: 0, shutDownAt: scenario.clock.now() });
  expect(made.state["ranAt"]).toBe(new Date(scenario.clock.now()).toISOString());

  scenario.emulator.control.set(`projects.${ref}.realtime.connections`, 3);
  scenario.nextRun();
  await shutdowns.delete(made);
  expect(realtime()?.connections).toBe(3);
});

it("waits for a realtime that is starting", async () => {
  const { ref: starting } = scenario.emulator.control.call("createProject", {
    body: {
      name: "starting",
      organization_slug: "acme",
      db_pass: "initial-password",
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  });
  await shutdowns.create({ projectRef: starting });
  expect(scenario.emulator.world.state.projects.get(starting)?.realtime.shutDownAt).not.toBeNull();
});

it("says so where realtime does not run, and does nothing", async () => {
  scenario.emulator.control.call("updateRealtimeConfig", { ref, body: { suspend: true } });
  const refused = shutdowns.create({ projectRef: ref });
  await expect(refused).rejects.toThrow(
    `Realtime of ${ref} is not running, so there are no connections to close. If realtime should run, check \`suspend\``,
  );
  expect(realtime()?.shutDownAt).toBeNull();
});

it("is done once more where the answer got lost", async () => {
  scenario.emulator.control.addFault({ operation: "shutDownRealtime", drop: "after" });
  await shutdowns.create({ projectRef: ref });
  expect(scenario.calls("shutDownRealtime")).toBe(2);
});
