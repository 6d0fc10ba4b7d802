import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";

/**
 * Runs one emulator around the tests of a suite and resets it before each of them. After each test the emulator itself
 * must be free of errors: a crashed handler or an answer outside the operation table fails the test.
 */
export function withEmulator(options?: EmulatorOptions): { readonly current: Emulator } {
  let running: Emulator | undefined;
  const started = (): Emulator => {
    if (running === undefined) throw new Error("The emulator runs within tests and hooks only");
    return running;
  };
  beforeAll(async () => {
    running = await startEmulator(options);
  });
  beforeEach(() => started().control.reset());
  afterEach(() => expect(started().control.internalErrors).toEqual([]));
  afterAll(() => running?.close());
  return {
    get current() {
      return started();
    },
  };
}
