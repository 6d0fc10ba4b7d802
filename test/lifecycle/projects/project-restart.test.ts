import { projectRestart } from "../../../provider/actions/projects/project-restart";
import { startScenario, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

it("waits until the restart shows in the health of the services, and until they are back", async () => {
  const began = scenario.clock.now();
  await scenario.manage(projectRestart).create({ projectRef: ref });
  expect(scenario.calls("restartProject")).toBe(1);
  const health = scenario.emulator.control.call("getHealth", {
    ref,
    services: ["auth", "storage", "pooler"],
  });
  expect(health.map(({ status }) => status)).toEqual(Array(3).fill("ACTIVE_HEALTHY"));
  expect(scenario.clock.now() - began).toBeGreaterThanOrEqual(158_000);
});

it("goes on after ten seconds where no service is seen to stop", async () => {
  scenario.emulator.control.addFault({ operation: "restartProject", status: 200, body: {} });
  const began = scenario.clock.now();
  await scenario.manage(projectRestart).create({ projectRef: ref });
  expect(scenario.clock.now() - began).toBeGreaterThanOrEqual(10_000);
  expect(scenario.clock.now() - began).toBeLessThan(20_000);
});

it("says what to do where the service refuses with 500 although the project runs", async () => {
  scenario.emulator.control.addFault({ operation: "restartProject", status: 500, times: 100 });
  await expect(scenario.manage(projectRestart).create({ projectRef: ref })).rejects.toThrow(
    /was not restarted.*Run `pulumi up` again/,
  );
});
