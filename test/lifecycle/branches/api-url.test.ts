import { branch } from "../../../provider/resources/branches/branch/branch";
import { project } from "../../../provider/resources/projects/project/project";
import { startScenario, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("a project and its branch each have the URL of their own API", async () => {
  const declared = { name: "shop", organizationSlug: "acme", dbPass: "a-password", region: "eu-central-1" };
  const parent = await scenario.manage(project).create(declared);
  const made = await scenario.manage(branch).create({ projectRef: parent.id, name: "preview" });
  for (const { id, state } of [parent, made]) {
    expect(state["apiUrl"]).toMatch(new RegExp(`^https://${String(state["ref"])}\\.[a-z.]+$`));
    expect(id).toBe(state["ref"]);
  }
});
