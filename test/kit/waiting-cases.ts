import { poll } from "../../provider/waiting/poll";
import type { Context } from "../../provider/define/context";
import { VirtualClock } from "../../tools/virtual-clock";
import { bareContext } from "./bare-context";

/** How something that settles was waited for. */
export interface Waited {
  readonly settlesAfterMs: number;
  /** How long after it had settled that was seen. */
  readonly lateMs: number;
  readonly looks: number;
  /** The most looks within one minute. */
  readonly mostAMinute: number;
}

const SHORTEST_MS = 5_000;
const LONGEST_MS = 20 * 60_000;

/** Waits for things that settle after 5 s to 20 min: as many short ones as long ones, by the logarithm. */
export async function waitForAll(count: number): Promise<Waited[]> {
  const cases: Waited[] = [];
  for (let index = 0; index < count; index += 1) {
    const settlesAfterMs = SHORTEST_MS * (LONGEST_MS / SHORTEST_MS) ** (index / (count - 1));
    cases.push(await waitFor(settlesAfterMs, index));
  }
  return cases;
}

async function waitFor(settlesAfterMs: number, index: number): Promise<Waited> {
  const clock = new VirtualClock();
  const ctx: Context = { ...bareContext(), clock, deadlineMs: clock.now() + 2 * LONGEST_MS };
  const settledAtMs = clock.now() + settlesAfterMs;
  const looks: number[] = [];
  await poll(ctx, {
    what: "it",
    look: () => {
      // As evenly spread as random numbers are.
      clock.jitter = ((index + looks.length) * 0.618) % 1;
      return Promise.resolve(looks.push(clock.now()));
    },
    judge: () =>
      clock.now() >= settledAtMs
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: "it is not" },
  });
  const inTheMinuteFrom = (at: number): number =>
    looks.filter((look) => look >= at && look < at + 60_000).length;
  const mostAMinute = Math.max(...looks.map(inTheMinuteFrom));
  const lateMs = clock.now() - settledAtMs;
  clock.close();
  return { settlesAfterMs, lateMs, looks: looks.length, mostAMinute };
}

/** Whether that is soon: within 5 % of the time that it took, or two seconds. */
export function isSoon({ settlesAfterMs, lateMs }: Waited): boolean {
  return lateMs <= Math.max(2_000, 0.05 * settlesAfterMs);
}
