import { parseRateHeaders, type RateHeaders } from "../../../../provider/client/rate-limit/rate-headers";
import { RateWindow, type PermittedCall } from "../../../../provider/client/rate-limit/rate-window";
import { WindowCounter } from "../counting-service";
import type { Trip } from "./window-simulation";

export interface WantedCall {
  readonly atMs: number;
  readonly operation: string;
}

export interface ScopeScenario {
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
  readonly call: PermittedCall;
  readonly leftAtMs: number;
  headers?: RateHeaders | undefined;
}

/** The service's counters after a client has let its calls leave as soon as it may, event by event. */
export function simulateScope(scenario: ScopeScenario): {
  readonly counters: ReadonlyMap<string, WindowCounter>;
  readonly endedMs: number;
} {
  const { limit, windowMs, trips, counterOf } = scenario;
  const counters = new Map<string, WindowCounter>();
  const scope = new RateWindow({ limit, windowMs });
  const flights = new Set<Flight>();
  const waiting = [...scenario.wanted];
  const foreign = [...(scenario.foreign ?? [])];
  let now = Math.min(waiting[0]?.atMs ?? 0, foreign[0]?.atMs ?? Infinity);
  let started = 0;

  const take = (name: string): RateHeaders | undefined => {
    const counter = counters.get(name) ?? new WindowCounter(() => now, limit, windowMs);
    counters.set(name, counter);
    return parseRateHeaders(counter.take().headers);
  };
  const leave = (operation: string): void => {
    const trip = trips[started % trips.length] ?? { thereMs: 1, backMs: 1 };
    const call = { operation, atMs: now };
    scope.start(call, now);
    flights.add({ ...trip, call, leftAtMs: now });
    started += 1;
  };

  while (waiting.length > 0 || flights.size > 0) {
    while (foreign[0] !== undefined && foreign[0].atMs <= now) take(foreign.shift()?.counter ?? "");
    for (const flight of flights) {
      const { leftAtMs, thereMs, backMs, call } = flight;
      if (flight.headers === undefined && leftAtMs + thereMs <= now) {
        flight.headers = take(counterOf(call.operation));
      }
      if (leftAtMs + thereMs + backMs > now) continue;
      flights.delete(flight);
      scope.recordAnswer(call, flight.headers, now);
    }
    let soonest = Infinity;
    for (let index = 0; waiting[index] !== undefined;) {
      const { atMs, operation } = waiting[index] ?? { atMs: 0, operation: "" };
      const inMs = atMs > now ? atMs - now : scope.waitMs(operation, now);
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
