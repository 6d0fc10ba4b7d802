import { measureLoad, type LoadCost } from "../kit/limit-load";

// service, Limits: the documents count per scope, the recorded headers look like one counter per operation. A client
// is right under either, and not slower than the documents allow.

const RESOURCES = 300;
/** Beside one call for each resource, its kind is listed once in a run: edge functions and API keys. */
/** One of each kind, and one that confirms the deploys. */
const LISTINGS = 3;

const costs: Record<string, readonly LoadCost[]> = {};
beforeAll(async () => {
  for (const rule of ["scope", "operation"] as const) costs[rule] = await measureLoad(rule, RESOURCES);
});

it.each(["scope", "operation"])(
  "300 resources are made and deleted without a refusal where calls count per %s",
  (rule) => {
    expect(costs[rule]?.map(({ step, refused }) => [step, refused])).toEqual([
      ["create", 0],
      ["delete", 0],
    ]);
  },
);

it.each(["scope", "operation"])(
  "300 resources cost one call each, and a listing of each kind, where calls count per %s",
  (rule) => {
    for (const { calls } of costs[rule] ?? []) {
      expect(calls).toBeGreaterThanOrEqual(RESOURCES);
      // And one look at the project's state, as an empty list alone proves nothing.
      expect(calls).toBeLessThanOrEqual(RESOURCES + LISTINGS + 1);
    }
  },
);

it("needs no more windows than the specification allows, under either rule", () => {
  const windowsOf = (rule: string): number[] | undefined => costs[rule]?.map(({ windows }) => windows);
  expect(windowsOf("scope")).toEqual([3, 3]);
  expect(windowsOf("operation")).toEqual([3, 3]);
});
