import type { Clock } from "../client/clock";

/** How long nobody else may have come for the same call before it is made. */
const WINDOW_MS = 150;
/** However many keep coming, the first one waits no longer. */
const LONGEST_WINDOW_MS = 10_000;

/** How long a batch waits for what else belongs into it: the steps of the engine come one after the other. */
export class BatchWindow {
  #endsAtMs = -Infinity;
  readonly #clock: Pick<Clock, "now" | "sleep">;

  constructor(clock: Pick<Clock, "now" | "sleep">) {
    this.#clock = clock;
  }

  /** To be called with every item. */
  extend(byMs = WINDOW_MS): void {
    this.#endsAtMs = Math.max(this.#endsAtMs, this.#clock.now() + byMs);
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
        if (isBusy()) this.extend();
      } while (leftMs() > 0);
    } catch {
      return;
    }
  }
}
