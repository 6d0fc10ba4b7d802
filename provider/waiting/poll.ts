import { TimeoutError } from "../client/errors/errors";
import type { Context } from "../define/context";
import { waitingProblems } from "../define/problems";

/** What one look at a changing state means. */
export type Verdict<T> =
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: Error };

export interface Polling<S, T> {
  /** What is waited for, as in "project abc to become ACTIVE_HEALTHY". */
  readonly what: string;
  readonly look: () => Promise<S>;
  readonly judge: (seen: S) => Verdict<T>;
  /** Milliseconds until the second look. */
  readonly firstDelayMs?: number;
  readonly longestDelayMs?: number;
  /** An error for the deadline where the last look shows that there is nothing to wait for: nobody would see it later either. */
  readonly absent?: (seen: S) => Error | undefined;
  /** An error of `look` that may pass, as a 403 on a project made a moment ago; five in a row are final. */
  readonly mayPass?: (error: unknown) => boolean;
}

const PASSING_ERRORS_IN_A_ROW = 5;

/** Pauses grow by half up to this one, with which there are at most 20 looks a minute. */
const SHORT_DELAY_MS = 3_500;
/** From then on they are this part of what was waited already: half of what settles is seen within 5 % of its time. */
const PART_OF_WAITED = 0.1;

/** Looks until the verdict is done or failed, the deadline is reached or the step is cancelled. */
export async function poll<S, T>(ctx: Context, polling: Polling<S, T>): Promise<T> {
  const { firstDelayMs = 1_000, longestDelayMs = 15_000 } = polling;
  const beganMs = ctx.clock.now();
  let growingMs = firstDelayMs;
  let errorsInARow = 0;
  let lastReason = "nothing yet";
  let absent: Error | undefined;
  for (;;) {
    try {
      const seen = await polling.look();
      absent = polling.absent?.(seen);
      const verdict = polling.judge(seen);
      errorsInARow = 0;
      if (verdict.kind === "done") return verdict.value;
      if (verdict.kind === "failed") throw new FailedVerdict(verdict.error);
      if (verdict.reason !== lastReason) ctx.progress(`waiting for ${polling.what}: ${verdict.reason}`);
      lastReason = verdict.reason;
    } catch (error) {
      if (error instanceof FailedVerdict) throw error.failure;
      errorsInARow += 1;
      if (!(polling.mayPass?.(error) ?? false) || errorsInARow >= PASSING_ERRORS_IN_A_ROW) throw error;
      lastReason = error instanceof Error ? error.message : String(error);
    }
    const remainingMs = ctx.deadlineMs - ctx.clock.now();
    if (remainingMs <= 0) throw absent ?? createPollTimeoutError(polling.what, lastReason);
    const delayMs = Math.min(
      Math.max(growingMs, (ctx.clock.now() - beganMs) * PART_OF_WAITED),
      longestDelayMs,
    );
    // Jitter of a fifth keeps many waiting resources from asking in step.
    const jitteredMs = delayMs * (0.8 + 0.4 * ctx.clock.random());
    await ctx.clock.sleep(Math.min(jitteredMs, remainingMs), ctx.signal);
    // A look at the deadline would fail for want of time, and hide what was waited for.
    if (ctx.clock.now() >= ctx.deadlineMs) throw absent ?? createPollTimeoutError(polling.what, lastReason);
    growingMs = Math.min(growingMs * 1.5, Math.max(SHORT_DELAY_MS, firstDelayMs));
  }
}

class FailedVerdict extends Error {
  constructor(readonly failure: Error) {
    super(failure.message);
  }
}

function createPollTimeoutError(what: string, lastReason: string): TimeoutError {
  return new TimeoutError(waitingProblems.gaveUp.message({ what, reason: lastReason }), true);
}
