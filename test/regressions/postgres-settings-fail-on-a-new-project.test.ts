import { postgresConfig } from "../../provider/resources/database/postgres-config/postgres-config";
import { startScenario } from "../lifecycle/scenario";

it("settings of a project that is still coming up wait for the database", async () => {
  const scenario = await startScenario();
  const { ref } = scenario.emulator.control.call("createProject", {
    body: {
      name: "app",
      organization_slug: "acme",
      db_pass: "initial-password",
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  });
  const made = await scenario.manage(postgresConfig).create({ projectRef: ref, workMem: "8MB" });
  expect(made.state["workMem"]).toBe("8MB");
  expect(scenario.emulator.world.state.projects.get(ref)?.postgresOverrides).toMatchObject({
    work_mem: "8MB",
  });
  await scenario.close();
});

it("settings that a healthy project refuses are refused with the service's reason, by their names in the program", async () => {
  const scenario = await startScenario();
  const ref = scenario.healthyProject();
  scenario.emulator.control.addFault({
    operation: "updatePostgresConfig",
    status: 400,
    message: "shared_buffers is too large",
    times: 10,
  });
  const creating = scenario.manage(postgresConfig).create({ projectRef: ref, sharedBuffers: "1TB" });
  await expect(creating).rejects.toThrow("sharedBuffers is too large");
  scenario.emulator.control.clearFaults();
  await scenario.close();
});
