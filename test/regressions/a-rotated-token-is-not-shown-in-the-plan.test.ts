import { startPluginProcess } from "../adapters/plugin-process";
import { startScenario } from "../lifecycle/scenario";

describe("the plan of a provider whose settings change", () => {
  it("names each setting, as the values of two secrets are shown alike", async () => {
    const scenario = await startScenario();
    const plugin = await startPluginProcess(scenario, "Project");
    try {
      const before = { baseUrl: "https://api.example.com", accessToken: "pat_1", clientId: "app" };
      const now = { baseUrl: "https://api.example.com", accessToken: "pat_2", refreshToken: "first" };
      const { replaces, detailed } = await plugin.diffConfig(before, now);
      expect(replaces).toEqual([]);
      expect(detailed).toEqual({ accessToken: "UPDATE", clientId: "DELETE", refreshToken: "ADD" });
      expect((await plugin.diffConfig(before, before)).detailed).toEqual({});
    } finally {
      await plugin.close();
      await scenario.close();
    }
  });
});
