import { runCase } from "../../tools/crash/engine/run-case";
import { untilWrites } from "../../tools/crash/engine/inventory";
import { type SlowBackend, startSlowBackend, STATE_DELAY_MS } from "../../tools/engine/slow-backend";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

/** What a provider left alone may take to end, and an answer that may still come, are waited for in each. */
const CASE_TIMEOUT_MS = 15 * 60_000;

let slow: SlowBackend | undefined;

beforeAll(async () => {
  await engineForTests(LANGUAGES);
  slow = await startSlowBackend({ delayMs: STATE_DELAY_MS });
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => slow?.dispose());

// `npm run crash -- --engine 20` is the long form, with random moments.
describe("an up that is killed leaves exactly what is declared to the next", () => {
  it.each([
    ["dynamic", "engine alone", "file", 3],
    ["plugin", "engine and all below", "file", 5],
    ["dynamic", "provider alone", "file", 1],
    ["plugin", "provider alone", "file", 8],
    ["plugin", "engine alone", "slow", 10],
  ] as const)(
    "%s: %s, on the %s backend, after %i writes",
    async (adapter, kill, backend, writes) => {
      const engine = await engineForTests(LANGUAGES);
      const { failure } = await runCase({ adapter, engine, slow }, { kill, backend }, ({ emulator }, over) =>
        untilWrites(emulator.control, writes, over),
      );
      if (failure !== undefined) throw new Error(`${failure.message}\n${failure.output}`);
    },
    CASE_TIMEOUT_MS,
  );
});
