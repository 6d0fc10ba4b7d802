import fc from "fast-check";
import { simulateScope } from "./scope-simulation";

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
/** Which counter counts an operation: one for all, or one for each. */
const rule = fc.constantFrom(
  () => "scope",
  (operation: string) => operation,
);

const refusedBy = ({ counters }: ReturnType<typeof simulateScope>): number =>
  [...counters.values()].reduce((sum, { refused }) => sum + refused, 0);

it("has no call refused, under either rule", () => {
  fc.assert(
    fc.property(wanted, trips, rule, (calls, delays, counterOf) => {
      const simulated = simulateScope({
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
      expect(refusedBy(simulateScope(scenario))).toBe(0);
    }),
    { numRuns: 500 },
  );
});

it("is never slower than the specification allows, under either rule", () => {
  const operations = fc.array(fc.constantFrom(...OPERATIONS), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(operations, trips, rule, (names, delays, counterOf) => {
      const calls = names.map((operation) => ({ atMs: 0, operation }));
      const scenario = { limit: LIMIT, windowMs: WINDOW_MS, wanted: calls, trips: delays };
      const windowsOf = (of: (operation: string) => string): number =>
        Math.floor(simulateScope({ ...scenario, counterOf: of }).endedMs / WINDOW_MS) + 1;
      const allowed = Math.ceil(names.length / LIMIT);
      expect(windowsOf(() => "scope")).toBe(allowed);
      expect(windowsOf(counterOf)).toBeLessThanOrEqual(allowed);
    }),
    { numRuns: 300 },
  );
});
