import { MovableClock, startEmulator, type EmulatorOptions } from "../../../emulator";
import type { Scene } from "./sample";

export interface Stage {
  /** Back to the seed, with one project that is ACTIVE_HEALTHY with all its services. */
  fresh(): Scene;
  close(): Promise<void>;
}

/** An emulator for a whole test file, on a clock that stands still. */
export async function startStage(options: Pick<EmulatorOptions, "dataFolder"> = {}): Promise<Stage> {
  const clock = new MovableClock({ now: () => Date.UTC(2026, 0, 1) });
  const emulator = await startEmulator({ clock, ...options });
  const { control } = emulator;
  return {
    fresh() {
      control.reset();
      const { ref } = control.call("createProject", {
        body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
      });
      // behaviour, Projects: it comes up first, its services after it.
      control.advance(120_000);
      return { emulator, control, clock, ref };
    },
    close: () => emulator.close(),
  };
}
