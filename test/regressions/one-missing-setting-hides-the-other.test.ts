import { resolveConnection } from "../../provider/config";
import { startPluginProcess } from "../adapters/plugin-process";
import { startProviderProcess } from "../adapters/provider-process";
import { samples } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());

it("the dynamic provider tells a missing base URL and a missing token in one run", async () => {
  const provider = startProviderProcess(scenario, "Project", { env: {}, config: {} });
  const sample = samples.find(({ type }) => type === "Project");
  const { failures } = await provider.check(sample?.inputs("") ?? {});
  await provider.close();
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^management:baseUrl: The base URL .*MANAGEMENT_BASE_URL/),
    expect.stringMatching(/^management:accessToken: The access token is missing.*MANAGEMENT_ACCESS_TOKEN/),
  ]);
});

it("the plugin tells both, and a malformed base URL beside a missing token", async () => {
  const plugin = await startPluginProcess(scenario, "Project", { env: {}, config: undefined });
  const missing = await plugin.checkConfig({});
  const malformed = await plugin.checkConfig({ baseUrl: "http://api.example.com" });
  await plugin.close();
  expect(missing.failures.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^baseUrl: The base URL/),
    expect.stringMatching(/^accessToken: The access token is missing/),
  ]);
  expect(malformed.failures.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^baseUrl: .*unencrypted/),
    expect.stringMatching(/^accessToken: The access token is missing/),
  ]);
});

it("a step that needs the service tells both as well", () => {
  expect(() => resolveConnection({}, () => undefined)).toThrow(/The base URL.* The access token is missing/);
});
