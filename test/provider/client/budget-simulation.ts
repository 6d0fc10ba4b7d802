import { RateBudget } from "../../../provider/client/rate-limit/rate-budget";
import { parseRateHeaders, type RateHeaders } from "../../../provider/client/rate-limit/rate-headers";
import type { Spending } from "../../../provider/client/rate-limit/sighting";
import { WindowCounter } from "./counting-service";

export interface Trip {
  /** Time until the service counts the request, and from there until its answer is read. */
  readonly thereMs: number;
  readonly backMs: number;
}

export interface Scenario {
  readonly limit: number;
  readonly windowMs: number;
  /** When each call wants to leave, in ascending order. */
  readonly wantedAtMs: readonly number[];
  /** Delays of the calls, repeated as often as needed. */
  readonly trips: readonly Trip[];
  /** Calls of somebody else with the same token, in ascending order. */
  readonly foreignAtMs: readonly number[];
}

export interface Simulated {
  readonly counter: WindowCounter;
  /** Moments at which a call waited although nothing was under way and the service would surely have taken it. */
  readonly idle: string[];
}

interface Flight extends Trip {
  readonly spending: Spending;
  readonly leftAtMs: number;
  headers?: RateHeaders | undefined;
}

/** A window's end is told in whole seconds, and what is told is as old as the way back. */
const UNCERTAINTY_MS = 1_000;

/** A call of the one operation that there is. */
export function spendingAt(atMs: number): Spending {
  return { operation: "GET /v1/things", atMs, sentOrder: 0, endedOrder: Infinity };
}

/** Lets calls leave as soon as the budget allows, event by event, against a service that counts exactly. */
export function simulate({ limit, windowMs, wantedAtMs, trips, foreignAtMs }: Scenario): Simulated {
  let now = Math.min(wantedAtMs[0] ?? 0, foreignAtMs[0] ?? Infinity);
  const counter = new WindowCounter(() => now, limit, windowMs);
  const budget = new RateBudget({ limit, windowMs });
  const flights = new Set<Flight>();
  const wanted = [...wantedAtMs];
  const foreign = [...foreignAtMs];
  const idle: string[] = [];
  const longestWayBackMs = Math.max(...trips.map(({ backMs }) => backMs));
  let started = 0;

  const isSurelyOpen = (): boolean => {
    const window = counter.windows.at(-1);
    if (window === undefined) return true;
    if (now >= window.startedMs + windowMs + UNCERTAINTY_MS + longestWayBackMs) return true;
    return now < window.startedMs + windowMs && window.accepted < limit && foreignAtMs.length === 0;
  };

  while (wanted.length > 0 || flights.size > 0) {
    while (foreign[0] !== undefined && foreign[0] <= now) {
      foreign.shift();
      counter.take();
    }
    for (const flight of flights) {
      const { leftAtMs, thereMs, backMs } = flight;
      if (flight.headers === undefined && leftAtMs + thereMs <= now) {
        flight.headers = parseRateHeaders(counter.take().headers);
      }
      if (leftAtMs + thereMs + backMs > now) continue;
      flights.delete(flight);
      budget.answered(flight.spending, flight.headers, now);
    }
    while (wanted[0] !== undefined && wanted[0] <= now && budget.waitMs(now) <= 0) {
      wanted.shift();
      const trip = trips[started % trips.length] ?? { thereMs: 1, backMs: 1 };
      const spending = spendingAt(now);
      budget.start(now, spending);
      flights.add({ ...trip, spending, leftAtMs: now });
      started += 1;
    }
    const isHeldBack = wanted[0] !== undefined && wanted[0] <= now;
    if (isHeldBack && flights.size === 0 && isSurelyOpen()) idle.push(`at ${now}`);
    const next = Math.min(
      foreign[0] ?? Infinity,
      isHeldBack ? now + budget.waitMs(now) : (wanted[0] ?? Infinity),
      ...[...flights].map(
        ({ headers, leftAtMs, thereMs, backMs }) => leftAtMs + thereMs + (headers === undefined ? 0 : backMs),
      ),
    );
    const isDone = wanted.length === 0 && flights.size === 0;
    if (!isDone && !(next > now && Number.isFinite(next)))
      throw new Error(`stuck at ${now}: next is ${next}`);
    now = next;
  }
  return { counter, idle };
}
