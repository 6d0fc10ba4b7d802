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

  it("names it in every error, whatever step fails", async () => {
    child = await start(scenario, "AuthConfig", { config: {}, component: "PreviewEnvironment" });
    const projectRef = scenario.healthyProject();
    const refuseNext = (): void => {
      const body = { message: "site_url is not an address" };
      scenario.emulator.control.addFault({ operation: "updateAuthConfig", status: 422, body, times: 1 });
    };
    const declared = (siteUrl: string) => ({ projectRef, siteUrl });
    const refused = /the service rejected `auth\.siteUrl`/;

    const { failures } = await child.check({ projectRef, siteUrl: 1, password: { minLength: "x" } });
    const reasons = failures.map(({ reason }) => reason);
    expect(reasons.every((reason) => reason.startsWith("auth."))).toBe(true);
    expect(reasons).toHaveLength(2);

    refuseNext();
    await expect(child.create(declared("https://shop.example.com"))).rejects.toThrow(refused);
    const made = await child.create(declared("https://shop.example.com"));
    refuseNext();
    await expect(child.update(made, declared("https://store.example.com"))).rejects.toThrow(refused);
    const updated = await child.update(made, declared("https://store.example.com"));
    refuseNext();
    await expect(child.delete(updated)).rejects.toThrow(/refused to restore `auth\.siteUrl`/);
    await child.delete(updated);
  });

  it("says what to do where the component has no such input", async () => {
    child = await start(scenario, "SqlScript", { config: {}, component: "PreviewEnvironment" });
    const projectRef = scenario.healthyProject();
    const script = { projectRef, name: "seed", adopt: true };
    await child.create({ ...script, query: "select 1" });
    await expect(child.create({ ...script, query: "select 2" })).rejects.toThrow(
      /A PreviewEnvironment has no `adopt`, `adoptId`\. To start over, delete it and create it again, which/,
    );
  });
});
