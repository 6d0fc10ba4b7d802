import { markedFields } from "../../provider/define/markers";
import { postgresConfig } from "../../provider/resources/database/postgres-config/postgres-config";
import { startScenario } from "../lifecycle/scenario";

it("every setting is an input of its own, so that `ignoreChanges` can name it", () => {
  const names = markedFields(postgresConfig.inputs).map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["workMem", "maxConnections", "hotStandbyFeedback"]));
  expect(names).not.toContain("settings");
});

it("a setting whose change is ignored is not written when another one changes", async () => {
  const scenario = await startScenario();
  const ref = scenario.healthyProject();
  const configs = scenario.manage(postgresConfig);
  const made = await configs.create({ projectRef: ref, maxConnections: 80, maxWorkerProcesses: 8 });
  scenario.emulator.control.edit((state) => {
    const project = state.projects.get(ref);
    if (project) project.postgresOverrides = { ...project.postgresOverrides, max_connections: 99 };
  });
  scenario.nextRun();
  // With `ignoreChanges: ["maxConnections"]` the engine passes the remembered value, whatever the program says.
  await configs.update(made, { projectRef: ref, maxConnections: 80, maxWorkerProcesses: 9 });
  expect(scenario.emulator.world.state.projects.get(ref)?.postgresOverrides).toEqual({
    max_connections: 99,
    max_worker_processes: 9,
  });
  await scenario.close();
});
