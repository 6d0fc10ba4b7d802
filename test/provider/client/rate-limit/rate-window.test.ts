import fc from "fast-check";
import { RateWindow, type PermittedCall } from "../../../../provider/client/rate-limit/rate-window";
import { callAt, simulate } from "./window-simulation";

function start(window: RateWindow, now: number): PermittedCall {
  const call = callAt(now);
  window.start(call, now);
  return call;
}

const LIMIT = 10;
const WINDOW_MS = 60_000;

const trip = fc.record({
  thereMs: fc.integer({ min: 1, max: 400 }),
  backMs: fc.integer({ min: 1, max: 400 }),
});
const trips = fc.array(trip, { minLength: 1, maxLength: 30 });
const atOnce = fc
  .record({ calls: fc.integer({ min: 1, max: 90 }), startMs: fc.integer({ min: 0, max: 5_000 }) })
  .map(({ calls, startMs }) => Array<number>(calls).fill(startMs));
const spread = fc
  .array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 120 })
  .map((times) => times.sort((a, b) => a - b));
/** One call opens the window, then a crowd comes as it ends. */
const aroundTheEdge = fc
  .record({
    crowd: fc.array(fc.integer({ min: 59_700, max: 60_900 }), { minLength: LIMIT, maxLength: 4 * LIMIT }),
    early: fc.integer({ min: 1, max: LIMIT }),
  })
  .map(({ crowd, early }) => [...Array<number>(early).fill(0), ...crowd.sort((a, b) => a - b)]);

describe.each([
  ["at once", atOnce],
  ["spread over minutes", spread],
  ["around a window's end", aroundTheEdge],
])("calls that come %s", (_, wantedAtMs) => {
  it("are neither refused nor held back while calls are left, when nobody else calls", () => {
    fc.assert(
      fc.property(wantedAtMs, trips, (wanted, delays) => {
        const scenario = {
          limit: LIMIT,
          windowMs: WINDOW_MS,
          wantedAtMs: wanted,
          trips: delays,
          foreignAtMs: [],
        };
        const { counter, idle } = simulate(scenario);
        expect(counter.refused).toBe(0);
        expect(idle).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

it("needs no more windows than the calls fill", () => {
  fc.assert(
    fc.property(atOnce, trips, (wanted, delays) => {
      const scenario = {
        limit: LIMIT,
        windowMs: WINDOW_MS,
        wantedAtMs: wanted,
        trips: delays,
        foreignAtMs: [],
      };
      expect(simulate(scenario).counter.windows).toHaveLength(Math.ceil(wanted.length / LIMIT));
    }),
    { numRuns: 300 },
  );
});

it("has no call refused when others used a part of the window before", () => {
  const foreign = fc
    .array(fc.integer({ min: 0, max: 59_000 }), { minLength: 1, maxLength: LIMIT - 1 })
    .map((times) => times.sort((a, b) => a - b));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), trips, foreign, (calls, delays, foreignAtMs) => {
      const wantedAtMs = Array<number>(calls).fill((foreignAtMs.at(-1) ?? 0) + 1);
      const { counter, idle } = simulate({
        limit: LIMIT,
        windowMs: WINDOW_MS,
        wantedAtMs,
        trips: delays,
        foreignAtMs,
      });
      expect(counter.refused).toBe(0);
      expect(idle).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it("lets the first call go alone and the rest at once after its answer", () => {
  const window = new RateWindow({ limit: LIMIT, windowMs: WINDOW_MS });
  const first = start(window, 0);
  expect(window.waitMs(callAt(0).operation, 10)).toBeGreaterThan(0);
  window.recordAnswer(first, { limit: LIMIT, remaining: LIMIT - 8, resetMs: 60_000 }, 50);
  for (let left = LIMIT - 8; left > 0; left -= 1) {
    expect(window.waitMs(callAt(0).operation, 50)).toBe(0);
    start(window, 50);
  }
  expect(window.waitMs(callAt(0).operation, 50)).toBe(60_000);
});

it("does not let a slow first call hold up the others", () => {
  const window = new RateWindow({ limit: LIMIT, windowMs: WINDOW_MS });
  start(window, 0);
  expect(window.waitMs(callAt(0).operation, 1_999)).toBe(1);
  expect(window.waitMs(callAt(0).operation, 2_000)).toBe(0);
});

it("counts calls sent before a window's end in the window that their answers name", () => {
  const window = new RateWindow({ limit: LIMIT, windowMs: WINDOW_MS });
  window.recordAnswer(start(window, 0), { limit: LIMIT, remaining: LIMIT - 1, resetMs: 60_000 }, 10);
  const late = [start(window, 60_000), start(window, 60_000), start(window, 60_000)];
  const [ofOld, ...ofNew] = late;
  expect(window.waitMs(callAt(0).operation, 60_010)).toBe(0);
  if (ofOld !== undefined) window.recordAnswer(ofOld, { limit: LIMIT, remaining: 0, resetMs: 1_000 }, 60_020);
  for (const [index, call] of ofNew.entries()) {
    window.recordAnswer(call, { limit: LIMIT, remaining: LIMIT - 1 - index, resetMs: 60_000 }, 60_030);
  }
  for (let left = LIMIT - 2; left > 0; left -= 1) {
    expect(window.waitMs(callAt(0).operation, 60_040)).toBe(0);
    start(window, 60_040);
  }
  expect(window.waitMs(callAt(0).operation, 60_040)).toBeGreaterThan(59_000);
});

it("gives back a call that was never sent", () => {
  const window = new RateWindow({ limit: 1, windowMs: WINDOW_MS });
  window.returnCall(start(window, 0), 0);
  expect(window.waitMs(callAt(0).operation, 0)).toBe(0);
});

it("keeps counting a call whose answer is lost", () => {
  const window = new RateWindow({ limit: 1, windowMs: WINDOW_MS });
  window.recordLoss(start(window, 0), 100);
  expect(window.waitMs(callAt(0).operation, 100)).toBe(WINDOW_MS);
  expect(window.waitMs(callAt(0).operation, 100 + WINDOW_MS)).toBe(0);
});
