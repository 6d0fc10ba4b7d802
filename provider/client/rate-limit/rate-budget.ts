import type { StricterLimit } from "../../../spec/operation";
import { LONGEST_WAIT_MS, type RateHeaders } from "./rate-headers";
import { endOf, type Sighting, type Spending, type WindowEnd } from "./sighting";

/** How long the first call of a window may hold up the others. */
const PROBE_PATIENCE_MS = 2_000;

/**
 * Calls left in the service's current fixed window, told from own calls and answers. Pure: every method is told the
 * time. The first call of a window goes alone, so that calls of others in it are known before the burst.
 */
export class RateBudget {
  #limit: number;
  readonly #windowMs: number;
  /** Calls without an answer yet, and those with one that this window may have counted. */
  #open = new Set<Spending>();
  #ended = new Set<Spending>();
  /** Started in an earlier window than the budget is in now. */
  #carried = new Set<Spending>();
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

  /** Whether calls were spent in the window that goes on. */
  isInUse(now: number): boolean {
    this.#roll(now);
    return this.#used > 0;
  }

  /** How long the next call has to wait, for which `keptBack` calls are left alone; `Infinity` when only an answer can tell. */
  waitMs(now: number, keptBack = 0): number {
    this.#roll(now);
    if (this.#blockedUntilMs > now) return this.#blockedUntilMs - now;
    if (this.#used + keptBack >= this.#limit)
      return this.#end === undefined ? Infinity : this.#end.until - now;
    return this.#probe === undefined ? 0 : Math.max(0, this.#probe.atMs + PROBE_PATIENCE_MS - now);
  }

  /** Whether calls are used up, in contrast to waiting for the window's first answer. */
  isExhausted(now: number, keptBack = 0): boolean {
    this.#roll(now);
    return this.#blockedUntilMs > now || this.#used + keptBack >= this.#limit;
  }

  /** Whether others wait for the end of this window too, as far as can be told. */
  isContended(now: number): boolean {
    this.#roll(now);
    return this.#isContended || this.#blockedUntilMs > now;
  }

  start(now: number, spending: Spending): void {
    this.#roll(now);
    if (!this.#isKnown) this.#probe ??= spending;
    this.#used += 1;
    this.#open.add(spending);
  }

  /** Another budget that knows the same. */
  copy(): RateBudget {
    const copy = new RateBudget({ limit: this.#limit, windowMs: this.#windowMs });
    copy.#open = new Set(this.#open);
    copy.#ended = new Set(this.#ended);
    copy.#carried = new Set(this.#carried);
    copy.#used = this.#used;
    copy.#end = this.#end;
    copy.#previousEndMs = this.#previousEndMs;
    copy.#probe = this.#probe;
    copy.#isKnown = this.#isKnown;
    copy.#isContended = this.#isContended;
    copy.#blockedUntilMs = this.#blockedUntilMs;
    return copy;
  }

  /**
   * Only these operations turned out to count here: what is left is told by the newest answer of one of them, and what
   * may have been counted since it was sent.
   */
  keepOnly(counts: (operation: string) => boolean, seen: Sighting, now: number): void {
    this.#roll(now);
    for (const spendings of [this.#open, this.#ended, this.#carried]) {
      for (const spending of spendings) if (!counts(spending.operation)) spendings.delete(spending);
    }
    const mayCountSince = [...this.#open, ...this.#ended].filter(
      ({ sentOrder, endedOrder }) => sentOrder !== seen.sentOrder && endedOrder > seen.sentOrder,
    );
    this.#used = Math.min(this.#used, seen.limit - seen.remaining + mayCountSince.length);
    this.#end = seen.end;
    this.#isKnown = true;
    this.#isContended = false;
    this.#probe = undefined;
  }

  /** The answer came; without usable headers the window is taken to have begun as late as it may have. */
  answered(spending: Spending, headers: RateHeaders | undefined, now: number): void {
    this.#roll(now);
    const isCarried = this.#carried.has(spending);
    if (!this.#close(spending)) return;
    if (headers === undefined || headers.resetMs > LONGEST_WAIT_MS)
      return this.#answeredBlindly(spending, now);
    const end = endOf(spending, headers, now);
    if (isCarried && this.#isOfEarlierWindow(end)) {
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

  /** 429: not executed, and nothing is until then (service, Limits). */
  blockUntil(untilMs: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
  }

  /** No answer: the service may have counted the call. */
  lost(spending: Spending, now: number): void {
    this.#roll(now);
    if (!this.#close(spending)) return;
    this.#end ??= { after: spending.atMs, until: now + this.#windowMs };
  }

  /** The call surely never reached the service. */
  returned(spending: Spending, now: number): void {
    this.#roll(now);
    if (!this.#close(spending)) return;
    this.#ended.delete(spending);
    this.#used = Math.max(0, this.#used - 1);
  }

  /** False where it does not count here any more. */
  #close(spending: Spending): boolean {
    this.#carried.delete(spending);
    if (!this.#open.delete(spending)) return false;
    this.#ended.add(spending);
    if (this.#probe === spending) this.#probe = undefined;
    return true;
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
    this.#ended.clear();
    this.#carried = new Set(this.#open);
  }

  /** The service began a new window before this side could know: what is open, and this call, count in it. */
  #enter(end: WindowEnd): void {
    this.#previousEndMs = this.#end?.until ?? this.#previousEndMs;
    this.#end = end;
    this.#used = this.#open.size + 1;
    this.#isContended = false;
    this.#carried = new Set(this.#open);
  }

  #isOfEarlierWindow(end: WindowEnd): boolean {
    return this.#end === undefined ? end.after < this.#previousEndMs : end.until <= this.#end.after;
  }
}

/** Both are true, so the end lies in both; where clocks disagree the newer one is believed. */
function narrowed(known: WindowEnd, seen: WindowEnd): WindowEnd {
  const both = { after: Math.max(known.after, seen.after), until: Math.min(known.until, seen.until) };
  return both.after < both.until ? both : seen;
}
