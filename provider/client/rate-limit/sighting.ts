import type { RateHeaders } from "./rate-headers";

/** The time of a window's end, as far as it is known: later than `after`, not later than `until`. */
export interface WindowEnd {
  readonly after: number;
  readonly until: number;
}

/** A call that was let through, and its place among all calls and answers of this client. */
export interface Spending {
  readonly operation: string;
  /** Not later than the moment the request left. */
  atMs: number;
  sentOrder: number;
  /** `Infinity` while it has no answer. */
  endedOrder: number;
}

/** What an answer showed of the counter that had counted its call. */
export interface Sighting {
  readonly limit: number;
  readonly remaining: number;
  readonly end: WindowEnd;
  readonly receivedMs: number;
  readonly sentOrder: number;
  readonly endedOrder: number;
}

/** Whole seconds may be rounded down as well. */
const ROUNDING_MS = 1_000;

/** When the window ends, of which an answer told the seconds that are left, rounded up. */
export function endOf({ atMs }: Pick<Spending, "atMs">, { resetMs }: RateHeaders, now: number): WindowEnd {
  return { after: atMs + resetMs - 1_000, until: now + resetMs };
}

export function sightingOf(spending: Spending, headers: RateHeaders, now: number): Sighting {
  const { limit, remaining } = headers;
  const { sentOrder, endedOrder } = spending;
  return { limit, remaining, end: endOf(spending, headers, now), receivedMs: now, sentOrder, endedOrder };
}

/**
 * Whether two answers cannot come from one counter of fixed windows, whoever else spends from it. While the windows of
 * both surely went on, one counter has one end, and counts down: a call that was sent when the other was answered finds
 * less left than that one did.
 */
export function areApart(one: Sighting, other: Sighting): boolean {
  if (one.limit !== other.limit || !wentOnTogether(one, other)) return false;
  if (endsBefore(one, other) || endsBefore(other, one)) return true;
  return isNotCountedDown(one, other) || isNotCountedDown(other, one);
}

function wentOnTogether(one: Sighting, other: Sighting): boolean {
  return one.receivedMs < other.end.after && other.receivedMs < one.end.after;
}

function endsBefore(one: Sighting, other: Sighting): boolean {
  return one.end.until + ROUNDING_MS <= other.end.after;
}

function isNotCountedDown(earlier: Sighting, later: Sighting): boolean {
  return earlier.endedOrder < later.sentOrder && later.remaining >= earlier.remaining;
}
