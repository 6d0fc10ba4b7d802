import type { Clock } from "../client/clock";

/**
 * How long no further item may have come before what was gathered leaves. The engine writes its state before each step it
 * starts, so the steps of one wave come one after the other, some tens of milliseconds apart.
 */
const QUIET_MS = 250;
/** The same once a second item has come: more are likely, and on a busy machine they come slowly. */
const QUIET_AMONG_MANY_MS = 750;
/** However many items keep coming, the first one waits no longer. */
const LONGEST_MS = 10_000;

/** Items that come in short succession and are dealt with together. */
export class Gathering {
  readonly #clock: Pick<Clock, "now" | "sleep">;
  #lastArrivalMs = 0;
  #count = 0;

  constructor(clock: Pick<Clock, "now" | "sleep">) {
    this.#clock = clock;
  }

  arrive(): void {
    this.#lastArrivalMs = this.#clock.now();
    this.#count += 1;
  }

  /** Waits while more keep coming; the next ones begin anew. */
  async untilQuiet(): Promise<void> {
    const beganMs = this.#clock.now();
    for (;;) {
      const now = this.#clock.now();
      const quietMs = this.#count > 1 ? QUIET_AMONG_MANY_MS : QUIET_MS;
      const leftMs = Math.min(this.#lastArrivalMs + quietMs - now, beganMs + LONGEST_MS - now);
      if (leftMs <= 0) break;
      await this.#clock.sleep(leftMs);
    }
    this.#count = 0;
  }
}
