import { startPluginProcess } from "../kit/plugin-process";
import { startProviderProcess, type ProviderProcess } from "../kit/provider-process";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
let child: ProviderProcess;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  await child.close();
  await scenario.close();
});

describe.each([
  ["dynamic provider", startProviderProcess],
  ["plugin", startPluginProcess],
] as const)("what a resource within a component says in the %s", (_, start) => {
  it("names what the user of the component can declare, also while it is made", async () => {
    child = await start(scenario, "AuthConfig", { config: {}, component: "PreviewEnvironment" });
    const projectRef = scenario.healthyProject();
    const { control } = scenario.emulator;
    const body = control.call("getAuthConfig", { ref: projectRef });
    control.addFault({ operation: "updateAuthConfig", status: 200, body });
    const { inputs, failures } = await child.check({ projectRef, siteUrl: "https://shop.example.com" });
    expect(failures).toEqual([]);
    await child.create(inputs);
    expect(child.lines.join("\n")).toMatch(/The service took `auth\.siteUrl` of AuthConfig/);
  });
});
