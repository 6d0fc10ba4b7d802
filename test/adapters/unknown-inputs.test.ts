import { UNKNOWN } from "../../provider/define/unknown";
import { adapters, AdapterLife } from "../kit/adapter-life";
import { startScenario, type Scenario } from "../kit/scenario";
import { samples } from "../kit/samples";

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());

describe.each(adapters.map((adapter) => [adapter.name, adapter] as const))(
  "through the %s adapter",
  (_, adapter) => {
    it.each(samples.map((sample) => [sample.type, sample] as const))(
      "a preview of a %s shows what is not known yet by no value",
      async (type, sample) => {
        const life = new AdapterLife(scenario, sample, adapter);
        try {
          const provider = await life.nextProcess();
          const declared = life.declared();
          const __owner = `acme/shop/dev/${type}-of-shop`;
          const unknown = Object.keys(declared).map((name) => ({ ...declared, [name]: UNKNOWN }));
          const all = Object.fromEntries(Object.keys(declared).map((name) => [name, UNKNOWN]));
          const reasons: string[] = [];
          for (const inputs of [...unknown, all]) {
            const { failures } = await provider.check(
              adapter.name === "dynamic" ? { ...inputs, __owner } : inputs,
            );
            reasons.push(...failures.map(({ reason }) => reason));
          }
          expect([...reasons, ...provider.lines].filter((line) => line.includes(UNKNOWN))).toEqual([]);
        } finally {
          await life.close();
        }
      },
    );
  },
);
