import { postgresConfig } from "../../provider/resources/database/postgres-config/postgres-config";
import { startScenario } from "../lifecycle/scenario";

it("settings that the program does not declare stay untouched when a configuration is taken over", async () => {
  const scenario = await startScenario();
  const ref = scenario.healthyProject();
  scenario.emulator.control.call("updatePostgresConfig", {
    ref,
    body: { max_connections: 80, statement_timeout: "1min", hot_standby_feedback: true },
  });
  const configs = scenario.manage(postgresConfig);
  const inputs = { projectRef: ref, maxConnections: 80 };
  const imported = await configs.read({ id: ref, state: inputs });
  const state = imported?.state ?? {};
  expect(configs.diff(state, inputs).changes).toBe(false);
  const changed = { projectRef: ref, maxConnections: 90 };
  expect([...configs.diff(state, changed).changed]).toEqual(["maxConnections"]);
  await configs.update({ id: ref, state }, changed);
  expect(scenario.emulator.world.state.projects.get(ref)?.postgresOverrides).toEqual({
    max_connections: 90,
    statement_timeout: "1min",
    hot_standby_feedback: true,
  });
  await scenario.close();
});
