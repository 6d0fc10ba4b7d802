import type { Clock } from "../client/clock";
import type { StepPace } from "./step-pace";

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
/** Steps come slowly where their usual pause is longer. */
const SLOW_PAUSE_MS = 75;
/**
 * Where every step of the process waits for others, the engine has begun all that it may at once if so many of its usual
 * pauses have passed since the last step, and at least so many milliseconds.
 */
const QUIET_PAUSES = 4;
const SHORTEST_QUIET_MS = 50;
/** How often it is looked whether every step waits. */
const LOOK_EVERY_MS = 25;
/** However many keep coming, the first one waits no longer. */
const LONGEST_WINDOW_MS = 10_000;

/** How long a batch waits for what else belongs into it: the steps of the engine come one after the other. */
export class BatchWindow {
  #endsAtMs = -Infinity;
  /** Items that wait for the next batch to leave. */
  #waiting = 0;
  /** When windows ended, of the last minute only. */
  #endedAtMs: number[] = [];
  readonly #clock: Pick<Clock, "now" | "sleep">;
  readonly #pace: StepPace;

  constructor(clock: Pick<Clock, "now" | "sleep">, pace: StepPace) {
    this.#clock = clock;
    this.#pace = pace;
  }

  /** To be called with every item; one that has waited with others already keeps the window open no longer. */
  extend(hasWaited = false): void {
    this.#waiting += 1;
    this.#pace.addWaiting(1);
    this.#keepOpen(hasWaited ? 0 : this.#lengthMs());
  }

  #keepOpen(byMs = this.#lengthMs()): void {
    this.#endsAtMs = Math.max(this.#endsAtMs, this.#clock.now() + byMs);
  }

  #lengthMs(): number {
    const aMinuteAgoMs = this.#clock.now() - MINUTE_MS;
    this.#endedAtMs = this.#endedAtMs.filter((endedAtMs) => endedAtMs > aMinuteAgoMs);
    const made = this.#endedAtMs.length;
    const isSlow = this.#pace.usualPauseMs() > SLOW_PAUSE_MS;
    return made >= MANY || (made >= SOME && isSlow) ? LONG_WINDOW_MS : WINDOW_MS;
  }

  /** Whether nobody else can come, as every step waits and the engine begins no other one. */
  #isComplete(): boolean {
    const quietMs = Math.max(QUIET_PAUSES * this.#pace.usualPauseMs(), SHORTEST_QUIET_MS);
    return this.#pace.areAllWaiting() && this.#pace.sinceLastMs() >= quietMs;
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
        await this.#clock.sleep(Math.min(Math.max(0, leftMs()), LOOK_EVERY_MS));
        if (isBusy()) {
          if (leftMs() <= 0) this.#keepOpen();
        } else if (this.#isComplete()) break;
      } while (leftMs() > 0);
      this.#endedAtMs.push(this.#clock.now());
    } catch {
      return;
    }
  }

  /** To be called when the batch leaves: its items wait for no others. */
  release(): void {
    this.#pace.addWaiting(-this.#waiting);
    this.#waiting = 0;
  }
}
