import { measureLoad } from "../test/lifecycle/limit-load";

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
