import "../../provider/node-version";
import type { Emulator, EmulatorOptions } from "../emulator";
import { environmentOf } from "../run-program";
import { startEmulator } from "../start-emulator";
export { createMocks, type CreatedResource, type MockOptions, type Mocks } from "./pulumi-mocks";
export { importWorld } from "../persistence/import-world";
export { MovableClock } from "../world/clock";

type Hook = (run: () => Promise<void> | void) => unknown;

/** The hooks of a test runner; those of jest, and of vitest with `globals`, are found by themselves. */
export interface TestHooks {
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterAll: Hook;
}

export type TestEmulator = Pick<Emulator, "url" | "accessToken" | "control" | "world">;

/**
 * Starts an emulator for the test file that calls this, resets it before each test, and stops it at the end. Until then
 * MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN of this process lead to it. Its clock runs with the machine's, and a test can
 * move it forward: `control.advance`.
 */
export function useEmulator(options: EmulatorOptions = {}, hooks: TestHooks = globalHooks()): TestEmulator {
  let running: Emulator | undefined;
  let environment: NodeJS.ProcessEnv = {};
  hooks.beforeAll(async () => {
    running = await startEmulator(options);
    environment = { ...process.env };
    replaceEnvironment(environmentOf(running, options, environment));
  });
  hooks.beforeEach(() => running?.control.reset());
  hooks.afterAll(async () => {
    await running?.close();
    if (running !== undefined) replaceEnvironment(environment);
    running = undefined;
  });
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

/** In place: others may hold the object. */
function replaceEnvironment(next: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in next)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, next);
}
