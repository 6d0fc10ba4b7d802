import { startPluginProcess } from "../adapters/plugin-process";
import { startProviderProcess } from "../adapters/provider-process";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it.each([
  ["plugin", startPluginProcess],
  ["dynamic provider", startProviderProcess],
] as const)(
  "through the %s, that a branch is the first one is information, told once in a run",
  async (_, start) => {
    const process = await start(scenario, "Branch");
    try {
      const projectRef = scenario.healthyProject();
      const made = ["one", "two", "three"].map(async (name) => {
        const { inputs } = await process.check({ projectRef, name });
        return process.create(inputs);
      });
      await Promise.all(made);
      const lasting = ("rows" in process ? process.rows : process.shown).filter((line) => !line.isEphemeral);
      expect(lasting).toEqual([
        expect.objectContaining({
          severity: "info",
          message: expect.stringContaining("this is the first branch") as string,
        }),
      ]);
    } finally {
      await process.close();
    }
  },
);
