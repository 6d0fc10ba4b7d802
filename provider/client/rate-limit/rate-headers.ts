/** Windows last a minute; whoever names a much longer wait is better reported than obeyed. */
export const LONGEST_WAIT_MS = 300_000;

/** What the service says about a window (service, Limits). */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** Time until the window's end, rounded up to whole seconds. */
  readonly resetMs: number;
}

export type ResponseHeaders = Readonly<Record<string, string>>;

/** Undefined unless all three headers are there and make sense. */
export function parseRateHeaders(headers: ResponseHeaders): RateHeaders | undefined {
  const limit = parseWholeNumber(headers["x-ratelimit-limit"]);
  const remaining = parseWholeNumber(headers["x-ratelimit-remaining"]);
  const reset = parseWholeNumber(headers["x-ratelimit-reset"]);
  if (limit === undefined || limit < 1 || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetMs: reset * 1000 };
}

/** `retry-after` as seconds or as a date; the service always says 60 (service, Limits). */
export function parseRetryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const given = headers["retry-after"];
  if (given === undefined) return undefined;
  const seconds = parseWholeNumber(given);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function parseWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}
