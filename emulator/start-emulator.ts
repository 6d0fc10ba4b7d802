import type { Emulator, EmulatorOptions } from "./emulator";

/** Starts the API on this machine. */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return Promise.reject(new Error(`Not implemented: ${JSON.stringify(options)}`));
}
