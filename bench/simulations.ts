import { measureLoad } from "../test/kit/limit-load";
import { isSoon, waitForAll, type Waited } from "../test/kit/waiting-cases";
import { median } from "./cold-start";

const RESOURCES = 300;

/** Calls, refusals and time that 300 resources cost where the limit counts a scope, and where it counts each operation. */
export async function reportLimits(): Promise<boolean> {
  const costs = [...(await measureLoad("scope", RESOURCES)), ...(await measureLoad("operation", RESOURCES))];
  console.log(
    `${RESOURCES} resources of one project, half edge functions and half API keys, on a virtual clock`,
  );
  const heads = ["counted per", "step", "calls", "429s", "windows", "seconds"];
  console.log(heads.map((head) => head.padStart(13)).join(""));
  for (const { rule, step, calls, refused, windows, virtualSeconds } of costs) {
    const cells = [rule, step, calls, refused, windows, virtualSeconds.toFixed(1)];
    console.log(cells.map((cell) => String(cell).padStart(13)).join(""));
  }
  const isWithin = costs.every(({ refused }) => refused === 0);
  console.log(isWithin ? "No call is refused under either rule." : "Calls are refused.");
  return isWithin;
}

const CASES = 400;
const MOST_A_MINUTE = 20;
/** Upper ends, in seconds. */
const RANGES = [15, 60, 300, 1_200];

/** Prints how late what settles is noticed and by how many looks, on a virtual clock; false where that is too late. */
export async function reportWaiting(): Promise<boolean> {
  const cases = await waitForAll(CASES);
  console.log("\nwaiting for what settles, on a virtual clock");
  console.log(["settles after", "late", "soon", "looks"].map((head) => head.padStart(16)).join(""));
  let fromMs = 0;
  for (const untilSeconds of RANGES) {
    const untilMs = untilSeconds * 1_000;
    const inRange = cases.filter(({ settlesAfterMs: ms }) => ms > fromMs && ms <= untilMs + 1);
    console.log(rowOf(`up to ${untilSeconds} s`, inRange));
    fromMs = untilMs;
  }
  const soon = cases.filter(isSoon).length;
  const most = Math.max(...cases.map(({ mostAMinute }) => mostAMinute));
  const isWithin = soon * 2 >= CASES && most <= MOST_A_MINUTE;
  console.log(
    `${((soon / CASES) * 100).toFixed(0)} % are noticed within 5 % of their time or 2 s, with at most ${most} looks a minute.`,
  );
  return isWithin;
}

function rowOf(range: string, cases: readonly Waited[]): string {
  const lateSeconds = median(cases.map(({ lateMs }) => lateMs)) / 1_000;
  const part = (cases.filter(isSoon).length / cases.length) * 100;
  const looks = median(cases.map(({ looks }) => looks));
  return [range, `${lateSeconds.toFixed(1)} s`, `${part.toFixed(0)} %`, looks.toFixed(0)]
    .map((cell) => cell.padStart(16))
    .join("");
}
