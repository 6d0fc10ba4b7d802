import fc from "fast-check";
import { ScopeCounters } from "../../../../provider/client/rate-limit/scope-counters";
import {
  areApart,
  sightingOf,
  type Sighting,
  type Spending,
} from "../../../../provider/client/rate-limit/sighting";
import { simulateCounters } from "../counters-simulation";

// service, Limits: the documents count per scope, recorded headers look like one counter per operation; right under either.

const LIMIT = 10;
const WINDOW_MS = 60_000;
const OPERATIONS = ["list", "create", "read", "delete"];

const trips = fc.array(
  fc.record({ thereMs: fc.integer({ min: 1, max: 400 }), backMs: fc.integer({ min: 1, max: 400 }) }),
  { minLength: 1, maxLength: 30 },
);
const wanted = fc
  .array(
    fc.record({
      atMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150_000 })),
      operation: fc.constantFrom(...OPERATIONS),
    }),
    { minLength: 1, maxLength: 90 },
  )
  .map((calls) => calls.sort((a, b) => a.atMs - b.atMs));
/** Which counter counts which operation: anything from one for all to one for each. */
const partition = fc.array(fc.constantFrom("1", "2", "3", "4"), { minLength: 4, maxLength: 4 });

const refusedBy = ({ counters }: ReturnType<typeof simulateCounters>): number =>
  [...counters.values()].reduce((sum, { refused }) => sum + refused, 0);

it("has no call refused, whichever operations the service counts together", () => {
  fc.assert(
    fc.property(wanted, trips, partition, (calls, delays, names) => {
      const counterOf = (operation: string): string => names[OPERATIONS.indexOf(operation)] ?? "";
      const simulated = simulateCounters({
        limit: LIMIT,
        windowMs: WINDOW_MS,
        wanted: calls,
        trips: delays,
        counterOf,
      });
      expect(refusedBy(simulated)).toBe(0);
    }),
    { numRuns: 1_000 },
  );
});

it("has no call refused under the specification's rule when others used a part of the window before", () => {
  const foreign = fc
    .array(fc.integer({ min: 0, max: 59_000 }), { minLength: 1, maxLength: LIMIT - 1 })
    .map((times) => times.sort((a, b) => a - b).map((atMs) => ({ atMs, counter: "scope" })));
  const operations = fc.array(fc.constantFrom(...OPERATIONS), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(operations, trips, foreign, (names, delays, others) => {
      const atMs = (others.at(-1)?.atMs ?? 0) + 1;
      const calls = names.map((operation) => ({ atMs, operation }));
      const counterOf = (): string => "scope";
      const scenario = {
        limit: LIMIT,
        windowMs: WINDOW_MS,
        wanted: calls,
        trips: delays,
        counterOf,
        foreign: others,
      };
      expect(refusedBy(simulateCounters(scenario))).toBe(0);
    }),
    { numRuns: 500 },
  );
});

it("needs as many windows as the specification allows, and fewer where each operation has a counter", () => {
  const calls = Array.from({ length: 36 }, (_, index) => ({
    atMs: 0,
    operation: index % 2 === 0 ? "create" : "delete",
  }));
  const delays = [{ thereMs: 20, backMs: 20 }];
  const scenario = { limit: LIMIT, windowMs: WINDOW_MS, wanted: calls, trips: delays };
  const together = simulateCounters({ ...scenario, counterOf: () => "scope" });
  const apart = simulateCounters({ ...scenario, counterOf: (operation) => operation });
  expect(together.counters.get("scope")?.accepted).toEqual([10, 10, 10, 6]);
  expect([...apart.counters].map(([name, { accepted }]) => [name, accepted])).toEqual([
    ["create", [9, 9]],
    ["delete", [9, 9]],
  ]);
  expect(refusedBy(together) + refusedBy(apart)).toBe(0);
  expect([together.endedMs, apart.endedMs].map((ms) => Math.floor(ms / WINDOW_MS))).toEqual([3, 1]);
});

it("is never slower than the specification allows, whichever operations the service counts together", () => {
  const operations = fc.array(fc.constantFrom(...OPERATIONS), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(operations, trips, partition, (names, delays, counted) => {
      const calls = names.map((operation) => ({ atMs: 0, operation }));
      const counterOf = (operation: string): string => counted[OPERATIONS.indexOf(operation)] ?? "";
      const scenario = { limit: LIMIT, windowMs: WINDOW_MS, wanted: calls, trips: delays };
      const windowsOf = (of: (operation: string) => string): number =>
        Math.floor(simulateCounters({ ...scenario, counterOf: of }).endedMs / WINDOW_MS) + 1;
      const allowed = Math.ceil(names.length / LIMIT);
      expect(windowsOf(() => "scope")).toBe(allowed);
      expect(windowsOf(counterOf)).toBeLessThanOrEqual(allowed);
    }),
    { numRuns: 300 },
  );
});

describe("two answers", () => {
  let order = 0;
  const sent = (atMs: number): Spending => ({
    operation: "x",
    atMs,
    sentOrder: (order += 1),
    endedOrder: Infinity,
  });
  const answered = (spending: Spending, now: number, remaining: number, resetMs: number): Sighting => {
    spending.endedOrder = order += 1;
    return sightingOf(spending, { limit: LIMIT, remaining, resetMs }, now);
  };

  it("are of two counters where the later call found no less left than the earlier one", () => {
    const earlier = answered(sent(0), 100, 6, 60_000);
    expect(areApart(earlier, answered(sent(200), 300, 6, 60_000))).toBe(true);
    expect(areApart(earlier, answered(sent(200), 300, 5, 60_000))).toBe(false);
  });

  it("show nothing when either may have been counted first", () => {
    const one = sent(0);
    const other = sent(0);
    const first = answered(one, 100, 6, 60_000);
    expect(areApart(first, answered(other, 120, 8, 60_000))).toBe(false);
  });

  it("show nothing when the window of the earlier one may have ended", () => {
    const earlier = answered(sent(0), 100, 2, 30_000);
    expect(areApart(earlier, answered(sent(29_500), 29_600, 9, 60_000))).toBe(false);
    expect(areApart(earlier, answered(sent(20_000), 20_100, 9, 60_000))).toBe(true);
  });

  it("are of two counters where windows that go on together end at different times, as in the recording", () => {
    const get = answered(sent(3_000), 3_050, 116, 57_000);
    expect(areApart(get, answered(sent(3_100), 3_150, 100, 60_000))).toBe(true);
    expect(areApart(get, answered(sent(3_100), 3_150, 100, 58_000))).toBe(false);
  });
});

it("is no longer believed when one operation contradicts itself: then all count together again", () => {
  const scope = new ScopeCounters({ limit: LIMIT, windowMs: WINDOW_MS });
  let order = 0;
  const call = (operation: string, now: number, remaining: number): void => {
    const spending = { operation, atMs: now, sentOrder: (order += 1), endedOrder: Infinity };
    scope.spend(spending, now);
    spending.endedOrder = order += 1;
    scope.ended(operation, now);
    const headers = { limit: LIMIT, remaining, resetMs: WINDOW_MS };
    scope.saw(operation, sightingOf(spending, headers, now));
    for (const budget of scope.budgetsOf(operation)) budget.answered(spending, headers, now);
  };
  call("list", 0, 9);
  call("create", 10, 9);
  expect(scope.isParted()).toBe(true);
  expect(scope.budgetsOf("list")).toHaveLength(1);
  call("create", 20, 9);
  expect(scope.isParted()).toBe(false);
  expect(scope.budgetsOf("list")).toHaveLength(2);
  call("delete", 30, 9);
  expect(scope.isParted()).toBe(false);
});
