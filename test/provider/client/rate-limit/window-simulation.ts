import { parseRateHeaders, type RateHeaders } from "../../../../provider/client/rate-limit/rate-headers";
import { RateWindow, type PermittedCall } from "../../../../provider/client/rate-limit/rate-window";
import { WindowCounter } from "../counting-service";

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
  readonly call: PermittedCall;
  readonly leftAtMs: number;
  headers?: RateHeaders | undefined;
}

/** A window's end is told in whole seconds, and what is told is as old as the way back. */
const UNCERTAINTY_MS = 1_000;

const OPERATION = "GET /v1/things";

/** A call of the one operation that there is. */
export function callAt(atMs: number): PermittedCall {
  return { operation: OPERATION, atMs };
}

/** Lets calls leave as soon as the window allows, event by event, against a service that counts exactly. */
export function simulate({ limit, windowMs, wantedAtMs, trips, foreignAtMs }: Scenario): Simulated {
  let now = Math.min(wantedAtMs[0] ?? 0, foreignAtMs[0] ?? Infinity);
  const counter = new WindowCounter(() => now, limit, windowMs);
  const window = new RateWindow({ limit, windowMs });
  const flights = new Set<Flight>();
  const wanted = [...wantedAtMs];
  const foreign = [...foreignAtMs];
  const idle: string[] = [];
  const longestWayBackMs = Math.max(...trips.map(({ backMs }) => backMs));
  let started = 0;

  const isSurelyOpen = (): boolean => {
    const counted = counter.windows.at(-1);
    if (counted === undefined) return true;
    if (now >= counted.startedMs + windowMs + UNCERTAINTY_MS + longestWayBackMs) return true;
    // A window that began before the client could take the one ahead of it to be over.
    const before = counter.windows.at(-2);
    if (before !== undefined && now < before.startedMs + windowMs + UNCERTAINTY_MS + longestWayBackMs)
      return false;
    return now < counted.startedMs + windowMs && counted.accepted < limit && foreignAtMs.length === 0;
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
      window.recordAnswer(flight.call, flight.headers, now);
    }
    while (wanted[0] !== undefined && wanted[0] <= now && window.waitMs(OPERATION, now) <= 0) {
      wanted.shift();
      const trip = trips[started % trips.length] ?? { thereMs: 1, backMs: 1 };
      const call = callAt(now);
      window.start(call, now);
      flights.add({ ...trip, call, leftAtMs: now });
      started += 1;
    }
    const isHeldBack = wanted[0] !== undefined && wanted[0] <= now;
    if (isHeldBack && flights.size === 0 && isSurelyOpen()) idle.push(`at ${now}`);
    const next = Math.min(
      foreign[0] ?? Infinity,
      isHeldBack ? now + window.waitMs(OPERATION, now) : (wanted[0] ?? Infinity),
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
