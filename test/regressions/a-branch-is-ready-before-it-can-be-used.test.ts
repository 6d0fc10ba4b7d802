import { branch } from "../../provider/resources/branches/branch/branch";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

it("is usable when it counts as made: its project, its services and its newest run", async () => {
  const made = await scenario.manage(branch).create({ projectRef, name: "preview" });
  const ref = String(made.state["ref"]);
  const { control } = scenario.emulator;
  const services = ["auth", "db", "pooler", "realtime", "rest", "storage"] as const;
  const health = control.call("getHealth", { ref, services: [...services] });
  expect(health.filter(({ healthy }) => !healthy)).toEqual([]);
  const steps = control.call("listActionRuns", { ref }).flatMap(({ run_steps }) => run_steps);
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter(({ status }) => status !== "EXITED")).toEqual([]);
  expect(() =>
    control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "a value" }] }),
  ).not.toThrow();
});
