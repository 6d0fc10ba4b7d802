import { measureBatches } from "../test/kit/batch-load";
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

/** How often the engine begins a step: on a fast machine, on one of two cores, and on a busy one. */
const PAUSES_MS = [5, 20, 36, 75, 120, 200, 400];
const PARALLEL = [4, 8, 16, 128];
const BATCHED = { functions: 30, keys: 10, secrets: 60 };

/** Prints into how many calls the steps of a run are batched, by the engine's parallelism and pace; false where one is refused. */
export async function reportBatches(): Promise<boolean> {
  const { functions, keys, secrets } = BATCHED;
  console.log(
    `${functions} functions, ${keys} keys and ${secrets} secrets of one project, on a virtual clock; listings of secrets, functions and keys`,
  );
  const heads = ["--parallel", "pause", "command", "listings", "bulks", "calls", "seconds"];
  console.log(heads.map((head) => head.padStart(11)).join(""));
  let refusals = 0;
  for (const parallel of PARALLEL) {
    for (const pauseMs of PAUSES_MS) {
      for (const cost of await measureBatches({ parallel, pauseMs }, BATCHED)) {
        const { command, listings, bulks, calls, refused, virtualSeconds } = cost;
        refusals += refused;
        const cells = [parallel, `${pauseMs} ms`, command, listings.join("+"), bulks, calls];
        console.log([...cells, virtualSeconds.toFixed(1)].map((cell) => String(cell).padStart(11)).join(""));
      }
    }
  }
  console.log(refusals === 0 ? "No call is refused." : `${refusals} calls are refused.`);
  return refusals === 0;
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
