import fc from "fast-check";
import { inTier } from "../setup/tier";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { action, describeAction, type Action } from "./actions";
import { World } from "./world";

const COUNT = Number(
  process.env["HISTORIES_COUNT"] ?? Math.max(...inTier([60, 300], (count) => count === 60)),
);
const SEED = Number(process.env["HISTORIES_SEED"] ?? 1);
const PATH = process.env["HISTORIES_PATH"];

let scenario: Scenario;
beforeAll(async () => {
  // A rate limit is waited for in virtual time; a slow service would only make more polls.
  scenario = await startScenario({ pace: 0.02 });
});
afterAll(() => scenario.close());

it(
  `${COUNT} random histories end with exactly what is declared, and with nothing when all is destroyed`,
  async () => {
    const property = fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async (actions) => {
      const world = new World(scenario);
      try {
        for (const each of actions) await world.act(each);
        await world.requireConvergence();
        await world.requireNothingLeft();
      } finally {
        world.dispose();
      }
    });
    await fc.assert(property, {
      numRuns: COUNT,
      seed: SEED,
      ...(PATH === undefined ? {} : { path: PATH }),
      reporter: (result) => {
        if (!result.failed) return;
        const actions: readonly Action[] = result.counterexample?.[0] ?? [];
        const lines = actions.map((each) => `  ${describeAction(each)}`).join("\n");
        const replay = `npm run histories -- --seed ${result.seed} --path ${result.counterexamplePath ?? ""}`;
        const cause = result.errorInstance instanceof Error ? result.errorInstance.message : "";
        throw new Error(`The shortest history that fails:\n${lines}\n${cause}\nReplay: ${replay}`);
      },
    });
  },
  Math.max(300_000, COUNT * 2_000),
);
