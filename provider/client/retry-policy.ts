import { isTransientStatus } from "./errors/errors";
import { LONGEST_WAIT_MS } from "./rate-limit/rate-headers";

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const MOST_ATTEMPTS = 6;
const WINDOW_MS = 60_000;
/** Without a deadline even waiting for a rate limit must end. */
const MOST_RATE_LIMITED_ATTEMPTS = 10;

/** How an attempt ended, when it did not succeed. */
export type Outcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** What `retry-after` says. */
      readonly retryAfterMs?: number | undefined;
      /** What `x-ratelimit-reset` says. */
      readonly resetMs?: number | undefined;
    }
  /** Never connected: the request was surely not executed. */
  | { readonly kind: "unreachable" }
  /** The connection broke or nothing came in time: the request may have been executed. */
  | { readonly kind: "unanswered" };

export interface Attempt {
  readonly idempotent: boolean;
  /** 1 for the first attempt; answers of 429 are counted apart. */
  readonly attempt: number;
  readonly rateLimitedAttempt: number;
  readonly outcome: Outcome;
  readonly now: number;
  readonly deadlineMs: number | undefined;
  /** A number in [0, 1). */
  readonly random: number;
}

export type Verdict = { readonly again: false } | { readonly again: true; readonly afterMs: number };

const GIVE_UP: Verdict = { again: false };

/** Whether and when to repeat an attempt. */
export function judge(attempt: Attempt): Verdict {
  const verdict = isRateLimited(attempt.outcome) ? judgeRateLimited(attempt) : judgeFailed(attempt);
  if (verdict.again && verdict.afterMs > LONGEST_WAIT_MS) return GIVE_UP;
  if (!verdict.again || attempt.deadlineMs === undefined) return verdict;
  return attempt.now + verdict.afterMs < attempt.deadlineMs ? verdict : GIVE_UP;
}

/** 429 is repeated for every method: the call was not executed (service, Limits). */
function judgeRateLimited({ outcome, rateLimitedAttempt, deadlineMs, random }: Attempt): Verdict {
  if (deadlineMs === undefined && rateLimitedAttempt >= MOST_RATE_LIMITED_ATTEMPTS) return GIVE_UP;
  const { retryAfterMs, resetMs } = outcome.kind === "answer" ? outcome : {};
  // `retry-after` is always a whole window, whenever it ends (service, Limits); whoever says more means it.
  const isWholeWindow = retryAfterMs !== undefined && retryAfterMs <= WINDOW_MS;
  const requestedMs = isWholeWindow
    ? Math.min(retryAfterMs, resetMs ?? retryAfterMs)
    : (retryAfterMs ?? resetMs);
  // At least the first step's backoff, so that a service that says 0 is not called in a tight loop.
  return {
    again: true,
    afterMs:
      requestedMs === undefined || requestedMs === 0 ? backoffMs(rateLimitedAttempt, random) : requestedMs,
  };
}

function judgeFailed({ idempotent, attempt, outcome, random }: Attempt): Verdict {
  if (attempt >= MOST_ATTEMPTS) return GIVE_UP;
  const mayRepeat = outcome.kind === "unreachable" || (idempotent && isPassing(outcome));
  if (!mayRepeat) return GIVE_UP;
  const requestedMs = outcome.kind === "answer" ? outcome.retryAfterMs : undefined;
  return { again: true, afterMs: requestedMs ?? backoffMs(attempt, random) };
}

function isRateLimited(outcome: Outcome): boolean {
  return outcome.kind === "answer" && outcome.status === 429;
}

/** Failures that may be gone at the next attempt. */
function isPassing(outcome: Outcome): boolean {
  return outcome.kind !== "answer" || isTransientStatus(outcome.status);
}

/** Exponential with full jitter. */
export function backoffMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
}

/** A wait as it is told. */
export function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
