import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { secret } from "../../provider/resources/functions/secret/secret";
import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import { runSteps } from "../kit/batch-load";
import { startScenario, type Managed, type Scenario } from "../kit/scenario";

// What test/engine/many-resources.test.ts does on the real engine, with steps that start when the test says.

const SECRETS = 100;
const WINDOW_MS = 60_000;

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

interface Declared {
  readonly managed: Managed;
  readonly inputs: Values;
}

function declared(): Declared[] {
  const many = (count: number, managed: Managed, inputs: (index: number) => Values): Declared[] =>
    Array.from({ length: count }, (_, index) => ({ managed, inputs: { projectRef: ref, ...inputs(index) } }));
  return [
    ...many(SECRETS, scenario.manage(secret), (index) => ({
      name: `SECRET_${index}`,
      value: `value ${index}`,
    })),
    ...many(60, scenario.manage(edgeFunction), (index) => ({
      slug: `function-${index}`,
      files: { "index.ts": `Deno.serve(() => ${index});` },
    })),
    ...many(40, scenario.manage(apiKey), (index) => ({ type: "publishable", name: `key_number_${index}` })),
  ];
}

function startRun(): void {
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  // The window of what came before is over.
  scenario.clock.advance(WINDOW_MS);
}

/** The calls for secrets since the run began, of which none was refused. */
function callsForSecrets(): Record<string, number> {
  const { control } = scenario.emulator;
  expect(control.countCalls({ status: 429 })).toBe(0);
  const counts: Record<string, number> = {};
  for (const { operation = "none" } of control.calls({ pathContains: "/secrets" }))
    counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

const quick = (): number => 5;
const slow = (): number => 60;
/** Slower than the first window of a call waits for others. */
const verySlow = (): number => 200;
/** As on a busy machine: longer than anything waits for more to come. */
const heldUp = (index: number): number => (index % 25 === 24 ? 2_000 : 10);

it.each([
  { engine: "quick", parallel: 128, pauseMs: quick, bulks: 1 },
  { engine: "slow", parallel: 128, pauseMs: slow, bulks: 1 },
  { engine: "very slow", parallel: 128, pauseMs: verySlow, bulks: 5 },
  { engine: "held up at times", parallel: 128, pauseMs: heldUp, bulks: 5 },
  { engine: "quick", parallel: 16, pauseMs: quick, bulks: 7 },
  { engine: "slow", parallel: 16, pauseMs: slow, bulks: 7 },
  { engine: "very slow", parallel: 16, pauseMs: verySlow, bulks: 10 },
  { engine: "held up at times", parallel: 16, pauseMs: heldUp, bulks: 9 },
])(
  "100 secrets among 200 resources leave in few bulks ($bulks), by $parallel steps at once of an engine that is $engine",
  async ({ bulks, ...pacing }) => {
    const stored = () => [...(scenario.emulator.world.state.projects.get(ref)?.secrets ?? [])];
    const creates = declared().map(
      ({ managed, inputs }) =>
        async (): Promise<{ managed: Managed; made: SettledResource }> => ({
          managed,
          made: await managed.create(inputs),
        }),
    );
    const made = await runSteps(scenario.clock, pacing, creates);
    // Each bulk looks before at a listing that is younger than its steps.
    expect(callsForSecrets()).toEqual({ listSecrets: bulks, createSecrets: bulks });
    expect(Object.fromEntries(stored().map(([name, { value }]) => [name, value]))).toEqual(
      Object.fromEntries(
        Array.from({ length: SECRETS }, (_, index) => [`SECRET_${index}`, `value ${index}`]),
      ),
    );

    startRun();
    const deletes = made.reverse().map((one) => () => one.managed.delete(one.made));
    await runSteps(scenario.clock, pacing, deletes);
    expect(callsForSecrets()).toEqual({ deleteSecrets: bulks });
    expect(stored()).toEqual([]);
  },
);
