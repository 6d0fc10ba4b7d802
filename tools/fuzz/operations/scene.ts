import {
  MovableClock,
  startEmulator,
  type Clock,
  type Emulator,
  type EmulatorOptions,
} from "../../../emulator";
import { testedService } from "../../repeat/tested-service";
import type { Scene } from "./sample";

export interface Stage {
  readonly emulator: Emulator;
  /** Back to the seed, with one project that is ACTIVE_HEALTHY with all its services. */
  fresh(): Scene;
  close(): Promise<void>;
}

const standstill: Clock = { now: () => Date.UTC(2026, 0, 1) };

/** An emulator for many scenes, on a clock that stands still unless another one is given. */
export async function startStage(
  options: Pick<EmulatorOptions, "dataFolder" | "limits" | "names" | "newer"> = {},
  time: Clock = standstill,
): Promise<Stage> {
  const clock = new MovableClock(time);
  const emulator = await startEmulator({ clock, ...testedService, ...options });
  const { control } = emulator;
  return {
    emulator,
    fresh() {
      control.reset();
      const { ref } = control.call("createProject", {
        body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
      });
      // service, Health: it comes up first, its services after it.
      control.advance(120_000);
      return { emulator, control, clock, ref };
    },
    close: () => emulator.close(),
  };
}
