import { parseRateHeaders, type RateHeaders } from "../../../provider/client/rate-limit/rate-headers";
import { ScopeCounters } from "../../../provider/client/rate-limit/scope-counters";
import { sightingOf, type Spending } from "../../../provider/client/rate-limit/sighting";
import type { Trip } from "./budget-simulation";
import { WindowCounter } from "./counting-service";

export interface WantedCall {
  readonly atMs: number;
  readonly operation: string;
}

export interface CountersScenario {
  readonly limit: number;
  readonly windowMs: number;
  /** In ascending order. */
  readonly wanted: readonly WantedCall[];
  /** Delays of the calls, repeated as often as needed. */
  readonly trips: readonly Trip[];
  /** Which counter of the service counts an operation. */
  readonly counterOf: (operation: string) => string;
  /** Calls of somebody else with the same token, in ascending order. */
  readonly foreign?: readonly { readonly atMs: number; readonly counter: string }[];
}

interface Flight extends Trip {
  readonly spending: Spending;
  readonly leftAtMs: number;
  headers?: RateHeaders | undefined;
}

/** The service's counters after a client has let its calls leave as soon as it may, event by event. */
export function simulateCounters(scenario: CountersScenario): {
  readonly counters: ReadonlyMap<string, WindowCounter>;
  readonly endedMs: number;
} {
  const { limit, windowMs, trips, counterOf } = scenario;
  const counters = new Map<string, WindowCounter>();
  const scope = new ScopeCounters({ limit, windowMs });
  const flights = new Set<Flight>();
  const waiting = [...scenario.wanted];
  const foreign = [...(scenario.foreign ?? [])];
  let now = Math.min(waiting[0]?.atMs ?? 0, foreign[0]?.atMs ?? Infinity);
  let order = 0;
  let started = 0;

  const take = (name: string): RateHeaders | undefined => {
    const counter = counters.get(name) ?? new WindowCounter(() => now, limit, windowMs);
    counters.set(name, counter);
    return parseRateHeaders(counter.take().headers);
  };
  const waitMs = (operation: string): number =>
    Math.max(
      0,
      ...scope.claimsOf(operation, now).map(({ budget, keptBack }) => budget.waitMs(now, keptBack)),
    );
  const answer = ({ spending, headers }: Flight): void => {
    spending.endedOrder = order += 1;
    scope.ended(spending.operation, now);
    if (headers !== undefined) scope.saw(spending.operation, sightingOf(spending, headers, now));
    for (const budget of scope.budgetsOf(spending.operation)) budget.answered(spending, headers, now);
  };
  const leave = (operation: string): void => {
    const trip = trips[started % trips.length] ?? { thereMs: 1, backMs: 1 };
    const spending = { operation, atMs: now, sentOrder: (order += 1), endedOrder: Infinity };
    scope.spend(spending, now);
    flights.add({ ...trip, spending, leftAtMs: now });
    started += 1;
  };

  while (waiting.length > 0 || flights.size > 0) {
    while (foreign[0] !== undefined && foreign[0].atMs <= now) take(foreign.shift()?.counter ?? "");
    for (const flight of flights) {
      const { leftAtMs, thereMs, backMs, spending } = flight;
      if (flight.headers === undefined && leftAtMs + thereMs <= now) {
        flight.headers = take(counterOf(spending.operation));
      }
      if (leftAtMs + thereMs + backMs > now) continue;
      flights.delete(flight);
      answer(flight);
    }
    let soonest = Infinity;
    for (let index = 0; waiting[index] !== undefined;) {
      const { atMs, operation } = waiting[index] ?? { atMs: 0, operation: "" };
      const inMs = atMs > now ? atMs - now : waitMs(operation);
      if (inMs > 0) {
        soonest = Math.min(soonest, now + inMs);
        index += 1;
        continue;
      }
      waiting.splice(index, 1);
      leave(operation);
    }
    const next = Math.min(
      soonest,
      foreign[0]?.atMs ?? Infinity,
      ...[...flights].map(
        ({ headers, leftAtMs, thereMs, backMs }) => leftAtMs + thereMs + (headers === undefined ? 0 : backMs),
      ),
    );
    if (waiting.length === 0 && flights.size === 0) break;
    if (!(next > now && Number.isFinite(next))) throw new Error(`stuck at ${now}: next is ${next}`);
    now = next;
  }
  return { counters, endedMs: now };
}
