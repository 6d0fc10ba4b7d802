import type { Clock } from "../client/clock";

/** How long nobody else may have come for the same call before it is made. */
const WINDOW_MS = 150;
/**
 * The same after `MANY` calls within a minute, of which the service allows 120, or after `SOME` where the steps of the
 * engine come slowly: then a call is worth more than the time.
 */
const LONG_WINDOW_MS = 500;
const MANY = 12;
const SOME = 3;
const MINUTE_MS = 60_000;
/** Steps come slowly where half of them come later than this after the one before. */
const SLOW_PAUSE_MS = 75;
/** Of how many steps the pauses are looked at. */
const REMEMBERED = 64;
/** However many keep coming, the first one waits no longer. */
const LONGEST_WINDOW_MS = 10_000;

/** How long a batch waits for what else belongs into it: the steps of the engine come one after the other. */
export class BatchWindow {
  #endsAtMs = -Infinity;
  /** When the last items came. */
  #cameAtMs: number[] = [];
  /** When windows ended, of the last minute only. */
  #endedAtMs: number[] = [];
  readonly #clock: Pick<Clock, "now" | "sleep">;

  constructor(clock: Pick<Clock, "now" | "sleep">) {
    this.#clock = clock;
  }

  /** To be called with every item. */
  extend(byMs?: number): void {
    this.#cameAtMs = [...this.#cameAtMs, this.#clock.now()].slice(-REMEMBERED);
    this.#keepOpen(byMs);
  }

  #keepOpen(byMs = this.#lengthMs()): void {
    this.#endsAtMs = Math.max(this.#endsAtMs, this.#clock.now() + byMs);
  }

  #lengthMs(): number {
    const aMinuteAgoMs = this.#clock.now() - MINUTE_MS;
    this.#endedAtMs = this.#endedAtMs.filter((endedAtMs) => endedAtMs > aMinuteAgoMs);
    const made = this.#endedAtMs.length;
    return made >= MANY || (made >= SOME && this.#isSlow()) ? LONG_WINDOW_MS : WINDOW_MS;
  }

  #isSlow(): boolean {
    const pausesMs = this.#cameAtMs
      .slice(1)
      .map((cameAtMs, index) => cameAtMs - (this.#cameAtMs[index] ?? 0));
    return pausesMs.filter((pauseMs) => pauseMs > SLOW_PAUSE_MS).length * 2 >= pausesMs.length;
  }

  /**
   * Resolves when the window is over, also where its clock has ended: then the call itself fails. While `isBusy` the next
   * call could not be made any sooner, so the window stays open.
   */
  async end(isBusy: () => boolean = () => false): Promise<void> {
    const latestMs = this.#clock.now() + LONGEST_WINDOW_MS;
    const leftMs = (): number => Math.min(this.#endsAtMs, latestMs) - this.#clock.now();
    try {
      // What comes in the same turn belongs to the batch in any case.
      do {
        await this.#clock.sleep(Math.max(0, leftMs()));
        if (isBusy()) this.#keepOpen();
      } while (leftMs() > 0);
      this.#endedAtMs.push(this.#clock.now());
    } catch {
      return;
    }
  }
}
