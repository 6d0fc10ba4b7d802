import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { VirtualClock } from "../virtual-clock";
import { runAcceptance, type AcceptanceResult, type Wanted } from "./session";

/** Runs the same on an emulator of its own, in virtual time. */
export async function runOnEmulator(
  wanted: Wanted,
  { newer, plan }: { readonly newer: boolean; readonly plan: string | undefined },
): Promise<AcceptanceResult> {
  const clock = new VirtualClock();
  const folder = mkdtempSync(join(tmpdir(), "management-acceptance-"));
  const organization = { slug: wanted.organization, name: "Reference", plan: planOf(plan) };
  const emulator = await startEmulator({ clock, newer, seed: { organizations: [organization] } });
  try {
    return await runAcceptance(
      { baseUrl: emulator.url, accessToken: emulator.accessToken, names: undefined, clock },
      wanted,
      { folder, signal: new AbortController().signal, say: () => undefined },
    );
  } finally {
    await emulator.close();
    clock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const PLANS = ["free", "pro", "team", "enterprise", "platform"] as const;

/** A plan that the emulator does not know is taken for a paid one. */
function planOf(plan: string | undefined): (typeof PLANS)[number] {
  return PLANS.find((known) => known === plan) ?? "pro";
}
