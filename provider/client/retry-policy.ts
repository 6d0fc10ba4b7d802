import { isTransientStatus } from "./errors/errors";
import { LONGEST_WAIT_MS } from "./rate-limit/rate-headers";

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const MOST_ATTEMPTS = 6;
const WINDOW_MS = 60_000;
/** Without a deadline even waiting for a rate limit must end. */
const MOST_RATE_LIMITED_ATTEMPTS = 10;

/** How an attempt ended, when it did not succeed. */
export type AttemptFailure =
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

export interface FailedAttempt {
  readonly idempotent: boolean;
  /** 1 for the first attempt; answers of 429 are counted apart. */
  readonly attempt: number;
  readonly rateLimitedAttempt: number;
  readonly outcome: AttemptFailure;
  readonly now: number;
  readonly deadlineMs: number | undefined;
  /** A number in [0, 1). */
  readonly random: number;
}

export type RetryDecision = { readonly again: false } | { readonly again: true; readonly afterMs: number };

const GIVE_UP: RetryDecision = { again: false };

/** Whether and when to repeat an attempt. */
export function decideRetry(attempt: FailedAttempt): RetryDecision {
  const verdict = isRateLimited(attempt.outcome) ? decideRateLimited(attempt) : decideFailed(attempt);
  if (verdict.again && verdict.afterMs > LONGEST_WAIT_MS) return GIVE_UP;
  if (!verdict.again || attempt.deadlineMs === undefined) return verdict;
  return attempt.now + verdict.afterMs < attempt.deadlineMs ? verdict : GIVE_UP;
}

/** 429 is repeated for every method: the call was not executed (service, Limits). */
function decideRateLimited({
  outcome,
  rateLimitedAttempt,
  deadlineMs,
  random,
}: FailedAttempt): RetryDecision {
  if (deadlineMs === undefined && rateLimitedAttempt >= MOST_RATE_LIMITED_ATTEMPTS) return GIVE_UP;
  const { retryAfterMs, resetMs } = outcome.kind === "answer" ? outcome : {};
  // `retry-after` is always a whole window, though the current one ends earlier (service, Limits); a longer one is meant literally.
  const isWholeWindow = retryAfterMs !== undefined && retryAfterMs <= WINDOW_MS;
  const requestedMs = isWholeWindow
    ? Math.min(retryAfterMs, resetMs ?? retryAfterMs)
    : (retryAfterMs ?? resetMs);
  // At least the first step's backoff, so that a service that says 0 is not called in a tight loop.
  return {
    again: true,
    afterMs:
      requestedMs === undefined || requestedMs === 0
        ? computeBackoffMs(rateLimitedAttempt, random)
        : requestedMs,
  };
}

function decideFailed({ idempotent, attempt, outcome, random }: FailedAttempt): RetryDecision {
  if (attempt >= MOST_ATTEMPTS) return GIVE_UP;
  const mayRepeat = outcome.kind === "unreachable" || (idempotent && isTransientFailure(outcome));
  if (!mayRepeat) return GIVE_UP;
  const requestedMs = outcome.kind === "answer" ? outcome.retryAfterMs : undefined;
  return { again: true, afterMs: requestedMs ?? computeBackoffMs(attempt, random) };
}

function isRateLimited(outcome: AttemptFailure): boolean {
  return outcome.kind === "answer" && outcome.status === 429;
}

/** Failures that the next attempt may not meet. */
function isTransientFailure(outcome: AttemptFailure): boolean {
  return outcome.kind !== "answer" || isTransientStatus(outcome.status);
}

/** Exponential with full jitter. */
export function computeBackoffMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
}

/** A wait in a message. */
export function formatSeconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
