import type { StricterLimit } from "../../spec/operation";
import { LONGEST_TOLD_MS, type RateHeaders } from "./rate-headers";

/** How long the first call of a window may hold up the others. */
const PROBE_PATIENCE_MS = 2_000;

/** A call that was let through and has no answer yet. */
export interface Spending {
  /** Not later than the moment the request left. */
  atMs: number;
  /** Started in an earlier window than the budget is in now. */
  carried: boolean;
}

/** The time of a window's end, as far as it is known: later than `after`, not later than `until`. */
interface WindowEnd {
  readonly after: number;
  readonly until: number;
}

/**
 * Calls left in the service's current fixed window, told from own calls and answers. Pure: every method is told the
 * time. The first call of a window goes alone, so that calls of others in it are known before the burst.
 */
export class RateBudget {
  #limit: number;
  readonly #windowMs: number;
  readonly #open = new Set<Spending>();
  #used = 0;
  #end: WindowEnd | undefined;
  #previousEndMs = -Infinity;
  #probe: Spending | undefined;
  #isKnown = false;
  /** Whether others spend calls of this window too. */
  #isContended = false;
  #blockedUntilMs = -Infinity;

  constructor({ limit, windowMs }: StricterLimit) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  get limit(): number {
    return this.#limit;
  }

  /** How long the next call has to wait; `Infinity` when only an answer can tell. */
  waitMs(now: number): number {
    this.#roll(now);
    if (this.#blockedUntilMs > now) return this.#blockedUntilMs - now;
    if (this.#used >= this.#limit) return this.#end === undefined ? Infinity : this.#end.until - now;
    return this.#probe === undefined ? 0 : Math.max(0, this.#probe.atMs + PROBE_PATIENCE_MS - now);
  }

  /** Whether calls are used up, in contrast to waiting for the window's first answer. */
  isExhausted(now: number): boolean {
    this.#roll(now);
    return this.#blockedUntilMs > now || this.#used >= this.#limit;
  }

  /** Whether others wait for the end of this window too, as far as can be told. */
  isContended(now: number): boolean {
    this.#roll(now);
    return this.#isContended || this.#blockedUntilMs > now;
  }

  start(now: number): Spending {
    this.#roll(now);
    const spending = { atMs: now, carried: false };
    if (!this.#isKnown) this.#probe ??= spending;
    this.#used += 1;
    this.#open.add(spending);
    return spending;
  }

  /** The answer came; without usable headers the window is taken to have begun as late as it may have. */
  answered(spending: Spending, headers: RateHeaders | undefined, now: number): void {
    this.#roll(now);
    this.#close(spending);
    if (headers === undefined || headers.resetMs > LONGEST_TOLD_MS)
      return this.#answeredBlindly(spending, now);
    const end = { after: spending.atMs + headers.resetMs - 1000, until: now + headers.resetMs };
    if (this.#isOfEarlierWindow(spending, end)) {
      this.#used = Math.max(0, this.#used - 1);
      return;
    }
    this.#limit = headers.limit;
    const counted = headers.limit - headers.remaining;
    if (this.#end !== undefined && end.after >= this.#end.until) this.#enter(end);
    this.#end = this.#end === undefined ? end : narrowed(this.#end, end);
    this.#isContended ||= counted > this.#used;
    this.#used = Math.max(this.#used, counted);
    this.#isKnown = true;
    this.#probe = undefined;
  }

  /** 429: not executed, and nothing is until then (management-api-1, Errors 2). */
  blockUntil(untilMs: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
  }

  /** No answer: the service may have counted the call. */
  lost(spending: Spending, now: number): void {
    this.#roll(now);
    this.#close(spending);
    this.#end ??= { after: spending.atMs, until: now + this.#windowMs };
  }

  /** The call surely never reached the service. */
  returned(spending: Spending, now: number): void {
    this.#roll(now);
    this.#close(spending);
    this.#used = Math.max(0, this.#used - 1);
  }

  #close(spending: Spending): void {
    this.#open.delete(spending);
    if (this.#probe === spending) this.#probe = undefined;
  }

  #answeredBlindly(spending: Spending, now: number): void {
    this.#end ??= { after: spending.atMs, until: now + this.#windowMs };
    this.#isKnown = true;
    this.#probe = undefined;
  }

  /** Calls still open may be counted in the new window: its answers will tell. */
  #roll(now: number): void {
    if (this.#end === undefined || now < this.#end.until) return;
    this.#previousEndMs = this.#end.until;
    this.#end = undefined;
    this.#used = this.#open.size;
    this.#isKnown = this.#isContended = false;
    this.#probe = undefined;
    for (const spending of this.#open) spending.carried = true;
  }

  /** The service began a new window before this side could know: what is open, and this call, count in it. */
  #enter(end: WindowEnd): void {
    this.#previousEndMs = this.#end?.until ?? this.#previousEndMs;
    this.#end = end;
    this.#used = this.#open.size + 1;
    this.#isContended = false;
    for (const spending of this.#open) spending.carried = true;
  }

  #isOfEarlierWindow(spending: Spending, end: WindowEnd): boolean {
    if (!spending.carried) return false;
    return this.#end === undefined ? end.after < this.#previousEndMs : end.until <= this.#end.after;
  }
}

/** Both are true, so the end lies in both; where clocks disagree the newer one is believed. */
function narrowed(known: WindowEnd, seen: WindowEnd): WindowEnd {
  const both = { after: Math.max(known.after, seen.after), until: Math.min(known.until, seen.until) };
  return both.after < both.until ? both : seen;
}
