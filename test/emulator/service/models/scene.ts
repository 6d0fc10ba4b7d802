import { MovableClock, Refusal, startEmulator, type Control, type Emulator } from "../../../../emulator";

/** The real service on a clock that stands still until a command moves it. */
export interface Real {
  readonly emulator: Emulator;
  readonly control: Control;
  readonly ref: string;
}

let shared: Emulator | undefined;

/** One emulator for all sequences of a file: each begins with a reset and a new project. */
export async function startReal(): Promise<void> {
  shared = await startEmulator({ clock: new MovableClock({ now: () => Date.UTC(2026, 0, 1) }) });
}

export async function stopReal(): Promise<void> {
  const faults = shared?.control.internalErrors ?? [];
  await shared?.close();
  expect(faults).toEqual([]);
}

export function freshReal(settledAfterMs = 0): Real {
  if (shared === undefined) throw new Error("The emulator was not started");
  const { control } = shared;
  expect(control.internalErrors).toEqual([]);
  control.reset();
  const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
  const { ref } = control.call("createProject", { body });
  control.advance(settledAfterMs);
  return { emulator: shared, control, ref };
}

/** The status with which a call is refused, or 200 when it is not. */
export function statusOfCall(call: () => unknown): number {
  try {
    call();
    return 200;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}
