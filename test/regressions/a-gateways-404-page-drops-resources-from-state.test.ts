import { project } from "../../provider/resources/projects/project/project";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const inputs = { name: "shop", organizationSlug: "acme", dbPass: "a-password", region: "eu-central-1" };

it.each(["<html><body>404 Not Found</body></html>", ""])(
  "does not take a project for gone when a gateway answers 404 with %j",
  async (body) => {
    const managed = scenario.manage(project);
    const made = await managed.create(inputs);
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "getProject", status: 404, body });
    await expect(managed.read(made)).rejects.toThrow("treated as still present");
    expect(await managed.read(made)).toBeDefined();
  },
);
