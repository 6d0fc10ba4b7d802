import fc from "fast-check";
import { type FailedAttempt, decideRetry, type AttemptFailure } from "../../../provider/client/retry-policy";

function verdict(outcome: AttemptFailure, more: Partial<FailedAttempt> = {}): ReturnType<typeof decideRetry> {
  return decideRetry({
    idempotent: true,
    attempt: 1,
    rateLimitedAttempt: 1,
    outcome,
    now: 1_000,
    deadlineMs: undefined,
    random: 0.5,
    ...more,
  });
}

const answer = (status: number, more: object = {}): AttemptFailure => ({ kind: "answer", status, ...more });
const again = (afterMs: number): object => ({ again: true, afterMs });
const giveUp = { again: false };

it.each([500, 502, 503, 504, 544, 408, 425])(
  "repeats an idempotent call that is answered with %i",
  (status) => {
    expect(verdict(answer(status))).toEqual(again(250));
  },
);

it.each([400, 401, 402, 403, 404, 406, 409, 422, 501])(
  "does not repeat a call that is answered with %i",
  (status) => {
    expect(verdict(answer(status))).toEqual(giveUp);
  },
);

it("does not repeat a write whose outcome is unknown", () => {
  expect(verdict(answer(500), { idempotent: false })).toEqual(giveUp);
  expect(verdict({ kind: "unanswered" }, { idempotent: false })).toEqual(giveUp);
});

it("repeats any call that never reached the service", () => {
  expect(verdict({ kind: "unreachable" }, { idempotent: false })).toEqual(again(250));
});

it("doubles the wait from half a second up to eight seconds, with full jitter, six attempts in all", () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) =>
    verdict({ kind: "unanswered" }, { attempt, random: 0.999999 }),
  );
  expect(waits).toEqual([again(500), again(1000), again(2000), again(4000), again(8000), giveUp]);
  expect(verdict({ kind: "unanswered" }, { random: 0 })).toEqual(again(0));
});

// service, Limits: `retry-after` is always 60, while `x-ratelimit-reset` counts to the window's end.
it("repeats 429 for every method when the window ends, or earlier where `retry-after` says so", () => {
  expect(verdict(answer(429, { resetMs: 17_000, retryAfterMs: 60_000 }))).toEqual(again(17_000));
  expect(verdict(answer(429, { resetMs: 17_000 }), { idempotent: false, attempt: 9 })).toEqual(again(17_000));
  expect(verdict(answer(429, { resetMs: 17_000, retryAfterMs: 3_000 }))).toEqual(again(3_000));
  expect(verdict(answer(429), { rateLimitedAttempt: 3 })).toEqual(again(1_000));
});

it("does not obey a wait of hours", () => {
  expect(verdict(answer(429, { retryAfterMs: 3_600_000 }))).toEqual(giveUp);
  expect(verdict(answer(503, { retryAfterMs: 3_600_000 }))).toEqual(giveUp);
});

it("never waits past the deadline", () => {
  const outcome = fc.oneof(
    fc.constant<AttemptFailure>({ kind: "unreachable" }),
    fc.constant<AttemptFailure>({ kind: "unanswered" }),
    fc.record({
      kind: fc.constant("answer" as const),
      status: fc.constantFrom(429, 500, 503),
      resetMs: fc.nat(60_000),
    }),
  );
  const settings = fc.record({
    attempt: fc.integer({ min: 1, max: 8 }),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });
  fc.assert(
    fc.property(outcome, settings, fc.nat(70_000), (given, more, leftMs) => {
      const decided = verdict(given, { ...more, now: 1_000, deadlineMs: 1_000 + leftMs });
      if (decided.again) expect(decided.afterMs).toBeLessThan(leftMs);
    }),
  );
});
