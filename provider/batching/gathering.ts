import type { Clock } from "../client/clock";

/** How long a first item waits for a second one. */
const QUIET_MS = 250;
/**
 * How often the longest pause between two steps must have passed before many leave. The engine writes its state before each
 * step it starts, so the steps of one wave come one after the other: some milliseconds apart, more where the state is large
 * or the machine busy.
 */
const PAUSES = 4;
/** With more steps than these under way, an early leaving costs more calls than it saves time. */
const NARROW = 24;
/** However short the pauses were, and however long. */
const LEAST_QUIET_MS = 60;
const MOST_QUIET_MS = 750;
/** So much, divided by their number, for the first few: as long as hardly any pause was seen. */
const QUIET_OF_FEW_MS = 500;
/** The same among items that come from one gathering, and so all but together. */
const QUIET_AFTER_GATHERING_MS = 25;
/** However many items keep coming, the first one waits no longer. */
const LONGEST_MS = 10_000;

/** The steps that the engine has under way: as many as its parallelism allows, where there is enough to do. */
export class Wave {
  #underWay = 0;
  /** The most that were ever under way together. */
  #most = 0;
  /** Whether nothing more came for a while when so many were under way: the engine waits for one to end. */
  #isMostAllowed = false;
  /** The longest pause before a step that came while others were under way; long ones are forgotten little by little. */
  #pauseMs = 0;
  #lastStartMs = -Infinity;
  readonly #clock: Pick<Clock, "now">;
  readonly #gatherings = new Set<Gathering>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async during<T>(step: () => Promise<T>): Promise<T> {
    this.#notePause();
    this.#underWay += 1;
    if (this.#underWay > this.#most) {
      this.#most = this.#underWay;
      this.#isMostAllowed = false;
    }
    try {
      return await step();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** How long no further item may have come before so many leave. */
  quietMs(size: number): number {
    if (size <= 1) return QUIET_MS;
    if (this.#underWay > NARROW) return MOST_QUIET_MS;
    const least = Math.max(LEAST_QUIET_MS, QUIET_OF_FEW_MS / size, PAUSES * this.#pauseMs);
    return Math.min(least, MOST_QUIET_MS);
  }

  #notePause(): void {
    const now = this.#clock.now();
    // Where nothing was under way, the engine was busy otherwise.
    const pauseMs = this.#underWay === 0 ? 0 : now - this.#lastStartMs;
    // A pause as long as all wait is no pause between the steps of one wave.
    if (pauseMs < MOST_QUIET_MS) this.#pauseMs = Math.max(pauseMs, this.#pauseMs * 0.9);
    this.#lastStartMs = now;
  }

  /**
   * When every step that the engine may start waits for more to come, none will until some leave: the largest gathering,
   * so that the others grow meanwhile.
   */
  joined(gathering: Gathering): void {
    this.#gatherings.add(gathering);
    const [largest, ...others] = [...this.#gatherings].sort((a, b) => b.size - a.size);
    const waiting = others.reduce((sum, { size }) => sum + size, largest?.size ?? 0);
    if (this.#isMostAllowed && this.#most > 1 && waiting >= this.#most) largest?.leave();
  }

  left(gathering: Gathering, isQuiet: boolean): void {
    this.#gatherings.delete(gathering);
    if (isQuiet && this.#underWay === this.#most) this.#isMostAllowed = true;
  }
}

/** Items that come in short succession and are dealt with together. */
export class Gathering {
  readonly #clock: Pick<Clock, "now" | "sleep">;
  readonly #wave: Wave;
  #size = 0;
  #quietAtMs = 0;
  #leaving = new AbortController();

  constructor(clock: Pick<Clock, "now" | "sleep">, wave: Wave) {
    this.#clock = clock;
    this.#wave = wave;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** `wasGathered`: it has waited with those that come with it before. */
  arrive({ wasGathered = false } = {}): void {
    this.#size += 1;
    const quietMs = wasGathered ? QUIET_AFTER_GATHERING_MS : this.#wave.quietMs(this.#size);
    this.#quietAtMs = Math.max(this.#quietAtMs, this.#clock.now() + quietMs);
    this.#wave.joined(this);
  }

  leave(): void {
    this.#leaving.abort();
  }

  /** Waits while more may come; what comes later gathers anew. */
  async untilQuiet(): Promise<void> {
    const { signal } = this.#leaving;
    try {
      await this.#waitWhileMoreMayCome(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#wave.left(this, !signal.aborted);
      this.#size = 0;
      this.#quietAtMs = 0;
      this.#leaving = new AbortController();
    }
  }

  async #waitWhileMoreMayCome(signal: AbortSignal): Promise<void> {
    const longestMs = this.#clock.now() + LONGEST_MS;
    for (;;) {
      signal.throwIfAborted();
      const leftMs = Math.min(this.#quietAtMs, longestMs) - this.#clock.now();
      if (leftMs <= 0) return;
      await this.#clock.sleep(leftMs, signal);
    }
  }
}
