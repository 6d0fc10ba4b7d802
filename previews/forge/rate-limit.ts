import type { Response } from "undici";

/** What GitHub asks to wait where it names no time of a secondary limit. */
const UNNAMED_LIMIT_MS = 60_000;

/**
 * How long a forge asks to wait before the call is made again; undefined where it refused the call for anything but its limits.
 * GitHub uses 403 and 429 and tells the end by `retry-after` or `x-ratelimit-reset`; GitLab uses 429 with `retry-after` or
 * `ratelimit-reset`; a 503 of either may have `retry-after`.
 */
export function readRequestedDelayMs(
  { status, headers }: Pick<Response, "status" | "headers">,
  said: string,
  nowMs: number,
): number | undefined {
  const isExhausted = headers.get("x-ratelimit-remaining") === "0";
  const isLimit =
    status === 429 ||
    (status === 403 && (headers.has("retry-after") || isExhausted || /rate limit/i.test(said))) ||
    (status === 503 && headers.has("retry-after"));
  if (!isLimit) return undefined;
  const delayMs =
    delayOf(headers.get("retry-after"), nowMs) ??
    computeDelayUntil(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset"), nowMs) ??
    UNNAMED_LIMIT_MS;
  return Math.max(1_000, delayMs);
}

/** Seconds, or a date. */
function delayOf(retryAfter: string | null, nowMs: number): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : at - nowMs;
}

/** Seconds since 1970. */
function computeDelayUntil(reset: string | null, nowMs: number): number | undefined {
  return reset !== null && /^\d+$/.test(reset) ? Number(reset) * 1000 - nowMs : undefined;
}
