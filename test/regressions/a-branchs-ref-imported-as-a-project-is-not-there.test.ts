import { branch } from "../../provider/resources/branches/branch/branch";
import { startPluginProcess } from "../adapters/plugin-process";
import { startProviderProcess } from "../adapters/provider-process";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
let branchRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  branchRef = (await scenario.manage(branch).create({ projectRef, name: "preview" })).id;
});
afterEach(() => scenario.close());

it("an import says that it is a branch, and how a branch is imported", async () => {
  const plugin = await startPluginProcess(scenario, "Project");
  const other = await startPluginProcess(scenario, "Branch");
  try {
    await expect(plugin.import(branchRef)).rejects.toThrow(
      `is the reference of a branch, not of a project. Import it as a Branch with the ID \`<projectRef>/${branchRef}\``,
    );
    expect(await other.import(`${projectRef}/${branchRef}`)).toMatchObject({ id: branchRef });
    // What neither a project nor a branch has is not there.
    expect(await plugin.import("zzzzzzzzzzzzzzzzzzzz")).toMatchObject({ id: "" });
  } finally {
    await plugin.close();
    await other.close();
  }
});

it("an adoption says so too, and makes nothing", async () => {
  const provider = startProviderProcess(scenario, "Project");
  try {
    const { inputs } = await provider.check({
      name: "shop",
      organizationSlug: "acme",
      dbPass: "first-password",
      adoptId: branchRef,
    });
    await expect(provider.create(inputs)).rejects.toThrow(
      `declare a Branch with \`adoptId: "${branchRef}"\``,
    );
    expect(scenario.calls("createProject")).toBe(0);
  } finally {
    await provider.close();
  }
});

it("the default branch's says that the project itself is to be imported", async () => {
  const plugin = await startPluginProcess(scenario, "Branch");
  try {
    await expect(plugin.import(`${projectRef}/${projectRef}`)).rejects.toThrow(
      `or the project as a \`Project\`, by its reference ${projectRef}`,
    );
  } finally {
    await plugin.close();
  }
});
