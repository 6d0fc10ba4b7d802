import type { StricterLimit } from "../../../spec/operation";
import { LONGEST_WAIT_MS, type RateHeaders } from "./rate-headers";

/** How long the first call of a window may hold up the others. */
const FIRST_ANSWER_TIMEOUT_MS = 2_000;
/** `x-ratelimit-reset` is in whole seconds, rounded up. */
const ROUNDING_MS = 1_000;
/** By how much the end of a window may be known too late: the time that its answers took. */
const LATENCY_MS = 5_000;

/** By how much the next window may have begun before this side takes the current one to be over, at usual latencies. */
const OVERLAP_MS = 2_000;

/** A call that has its permit. */
export interface PermittedCall {
  readonly operation: string;
  /** Not later than the moment the request left. */
  atMs: number;
}

/** The calls that are left, and until when. */
interface RemainingCalls {
  left: number;
  endMs: number;
}

/**
 * The calls left in the current fixed window of one documented limit. It counts own calls; headers only lower the count and
 * set the end. The first call of a window goes alone, so that what others have used of it is known before the rest leave.
 *
 * Headers may describe the window of one operation alone, with an end of its own: then they hold back only that operation.
 */
export class RateWindow {
  readonly limit: number;
  readonly #windowMs: number;
  #left: number;
  /** Not earlier than the service's own end. */
  #endMs: number | undefined;
  #previousEndMs = -Infinity;
  #blockedUntilMs = -Infinity;
  readonly #open = new Set<PermittedCall>();
  /** Calls without an answer yet that started before this window began. */
  #carried = new Set<PermittedCall>();
  /** Calls answered in this window that the service has counted in the next one. */
  #ahead = 0;
  #first: PermittedCall | undefined;
  #hasAnswer = false;
  /** Whether other processes spend calls of this window too. */
  #isShared = false;
  /** Own calls in this window. */
  #used = 0;
  readonly #byOperation = new Map<string, RemainingCalls>();

  constructor({ limit, windowMs }: StricterLimit) {
    this.limit = this.#left = limit;
    this.#windowMs = windowMs;
  }

  /** How long the next call of the operation has to wait; `Infinity` when only an answer can show it. */
  waitMs(operation: string, now: number): number {
    this.#roll(now);
    const own = this.#byOperation.get(operation);
    const ownWaitMs = own !== undefined && own.left <= 0 ? own.endMs - now : 0;
    return Math.max(0, ownWaitMs, this.#blockedUntilMs - now, this.#windowWaitMs(now));
  }

  /** Whether calls are used up, in contrast to waiting for the window's first answer. */
  isExhausted(operation: string, now: number): boolean {
    this.#roll(now);
    const ownLeft = this.#byOperation.get(operation)?.left ?? Infinity;
    return this.#blockedUntilMs > now || this.#left <= 0 || ownLeft <= 0;
  }

  /** Whether others wait for the end of this window too, as far as its answers show. */
  isShared(now: number): boolean {
    this.#roll(now);
    return this.#isShared || this.#blockedUntilMs > now;
  }

  start(call: PermittedCall, now: number): void {
    this.#roll(now);
    if (!this.#hasAnswer) this.#first ??= call;
    this.#spend(call, 1);
    this.#open.add(call);
  }

  /** The answer came; without usable headers the window is taken to have begun as late as it may have. */
  recordAnswer(call: PermittedCall, headers: RateHeaders | undefined, now: number): void {
    this.#roll(now);
    const isCarried = this.#carried.has(call);
    this.#close(call);
    if (headers !== undefined) this.#isShared ||= headers.limit - headers.remaining > this.#used;
    const reported = headers === undefined ? undefined : toReported(headers, call, now);
    const isEarlier =
      reported !== undefined && reported.endMs - this.#windowMs < this.#previousEndMs - LATENCY_MS;
    // Of the window before this one: it says nothing of this one's begin.
    if (isEarlier && isCarried) {
      this.#left = Math.min(this.limit, this.#left + 1);
      return;
    }
    this.#hasAnswer = true;
    this.#first = undefined;
    const isLater = reported !== undefined && reported.endsAfterMs >= (this.#endMs ?? Infinity);
    if (reported !== undefined && !isEarlier && !isLater) {
      const known = { left: this.#left, endMs: this.#endMs ?? Infinity };
      ({ left: this.#left, endMs: this.#endMs } = pickLower(known, reported));
      return;
    }
    if (reported !== undefined && isLater) this.#countAhead(reported);
    if (reported !== undefined && reported.endsAfterMs > now) this.#holdBack(call.operation, reported);
    this.#endMs ??= now + this.#windowMs;
  }

  /** 429: not executed, and nothing is until then (service, Limits). */
  blockUntil(untilMs: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
  }

  /** No answer: the service may have counted the call. */
  recordLoss(call: PermittedCall, now: number): void {
    this.#roll(now);
    this.#close(call);
    this.#endMs ??= now + this.#windowMs;
  }

  /** The call surely never reached the service. */
  returnCall(call: PermittedCall, now: number): void {
    this.#roll(now);
    this.#close(call);
    this.#spend(call, -1);
  }

  /** The headers describe a window of the operation's own. */
  #holdBack(operation: string, { left, endMs }: RemainingCalls): void {
    this.#byOperation.set(operation, pickLower(this.#byOperation.get(operation), { left, endMs }));
  }

  /** What ends as late as the next window will may have been counted in it. */
  #countAhead({ endMs }: RemainingCalls): void {
    if (endMs - this.#windowMs >= (this.#endMs ?? Infinity) - OVERLAP_MS) this.#ahead += 1;
  }

  #windowWaitMs(now: number): number {
    if (this.#left <= 0) return (this.#endMs ?? Infinity) - now;
    return this.#first === undefined ? 0 : this.#first.atMs + FIRST_ANSWER_TIMEOUT_MS - now;
  }

  #spend({ operation }: PermittedCall, calls: number): void {
    this.#used += calls;
    this.#left = Math.min(this.limit, this.#left - calls);
    const own = this.#byOperation.get(operation);
    if (own !== undefined) own.left -= calls;
  }

  #close(call: PermittedCall): void {
    this.#open.delete(call);
    this.#carried.delete(call);
    if (this.#first === call) this.#first = undefined;
  }

  /** Calls still open may be counted in the new window: their answers will show it. */
  #roll(now: number): void {
    for (const [operation, { endMs }] of this.#byOperation) {
      if (endMs <= now) this.#byOperation.delete(operation);
    }
    if (this.#endMs === undefined || now < this.#endMs) return;
    this.#previousEndMs = this.#endMs;
    this.#endMs = undefined;
    const ahead = this.#ahead;
    this.#left = this.limit - this.#open.size - ahead;
    this.#ahead = 0;
    this.#hasAnswer = false;
    this.#isShared = false;
    this.#used = this.#open.size + ahead;
    this.#first = undefined;
    this.#carried = new Set(this.#open);
  }
}

/** The window as headers report it; undefined where they name too distant an end. */
function toReported(
  { remaining, resetMs }: RateHeaders,
  call: PermittedCall,
  now: number,
): (RemainingCalls & { readonly endsAfterMs: number }) | undefined {
  if (resetMs > LONGEST_WAIT_MS) return undefined;
  return { left: remaining, endMs: now + resetMs, endsAfterMs: call.atMs + resetMs - ROUNDING_MS };
}

/** Both are upper bounds of the same window. */
function pickLower(known: RemainingCalls | undefined, reported: RemainingCalls): RemainingCalls {
  if (known === undefined) return reported;
  return { left: Math.min(known.left, reported.left), endMs: Math.min(known.endMs, reported.endMs) };
}
