import "../../provider/core/node-version";
import type { Emulator, EmulatorOptions } from "../desk/emulator";
import { environmentOf } from "../run-program";
import { startEmulator } from "../desk/start-emulator";
export { createMocks, type CreatedResource, type MockOptions, type Mocks } from "./pulumi-mocks";
export { importWorld } from "../desk/worlds/import-world";
export { MovableClock } from "../service/world/clock";

/** The limit is a number of milliseconds for jest and vitest, and `{ timeout }` for `node:test`. */
type Hook = (run: () => Promise<void> | void, limit: never) => unknown;

/** The hooks of a test runner; those of jest, and of vitest with `globals`, are found by themselves. */
export interface TestHooks {
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterAll: Hook;
}

export type TestEmulator = Pick<Emulator, "url" | "accessToken" | "control" | "world">;

/** How long a hook may take: a start with a seed takes seconds, on a busy machine minutes. */
const HOOK_TIMEOUT_MS = 600_000;

/**
 * Starts an emulator for the test file that calls this, resets it before each test, and stops it at the end. Until then
 * MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN of this process lead to it. Its clock runs with the machine's, and a test can
 * move it forward: `control.advance`. The timeouts of the runner do not apply to its hooks.
 */
export function useEmulator(options: EmulatorOptions = {}, hooks: TestHooks = globalHooks()): TestEmulator {
  let starting: Promise<Emulator> | undefined;
  let running: Emulator | undefined;
  let environment: NodeJS.ProcessEnv = {};
  const limit = limitFor(hooks);
  hooks.beforeAll(async () => {
    const start = startEmulator(options);
    starting = start;
    const started = await start;
    // Where the runner has given up the hook, `afterAll` may have come first.
    if (starting !== start) return;
    running = started;
    environment = { ...process.env };
    replaceEnvironment(environmentOf(running, options, environment));
  }, limit);
  hooks.beforeEach(() => running?.control.reset(), limit);
  hooks.afterAll(async () => {
    const start = starting;
    starting = undefined;
    if (running !== undefined) replaceEnvironment(environment);
    running = undefined;
    // A start that failed has closed what it opened, and `beforeAll` has said why.
    const started = await start?.catch(() => undefined);
    await started?.close();
  }, limit);
  const present = (): Emulator => {
    if (running !== undefined) return running;
    throw new Error(
      "The emulator runs only during the tests: use it in a test or a hook, not while tests are declared",
    );
  };
  return {
    get url() {
      return present().url;
    },
    get accessToken() {
      return present().accessToken;
    },
    get control() {
      return present().control;
    },
    get world() {
      return present().world;
    },
  };
}

function globalHooks(): TestHooks {
  const { beforeAll, beforeEach, afterAll } = globalThis as Partial<TestHooks>;
  if (beforeAll !== undefined && beforeEach !== undefined && afterAll !== undefined) {
    return { beforeAll, beforeEach, afterAll };
  }
  throw new Error(
    "This test runner has no global hooks: pass them, useEmulator(options, { beforeAll, beforeEach, afterAll })",
  );
}

/** Those of `node:test` take an object, and would ignore a number. */
function limitFor({ beforeAll }: TestHooks): never {
  const isOfNode = beforeAll === process.getBuiltinModule("node:test").before;
  return (isOfNode ? { timeout: HOOK_TIMEOUT_MS } : HOOK_TIMEOUT_MS) as never;
}

/** In place: others may hold the object. */
function replaceEnvironment(next: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in next)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, next);
}
