import { measureLoad, type LoadCost } from "./limit-load";

// service, Limits: the documents count per scope, the recorded headers look like one counter per operation. A client
// is right under either, and not slower than the documents allow.

const RESOURCES = 300;

const costs: Record<string, readonly LoadCost[]> = {};
beforeAll(async () => {
  for (const rule of ["scope", "operation"] as const) costs[rule] = await measureLoad(rule, RESOURCES);
}, 120_000);

it.each(["scope", "operation"])(
  "300 resources are made and deleted without a refusal where calls count per %s",
  (rule) => {
    expect(costs[rule]?.map(({ refused }) => refused)).toEqual([0, 0]);
    expect(costs[rule]?.every(({ calls }) => calls >= RESOURCES)).toBe(true);
  },
);

it("needs the windows that the specification allows, and fewer where operations are counted apart", () => {
  const windowsOf = (rule: string): number[] | undefined => costs[rule]?.map(({ windows }) => windows);
  expect(windowsOf("scope")).toEqual([3, 3]);
  expect(windowsOf("operation")).toEqual([2, 2]);
});
