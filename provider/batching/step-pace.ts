import type { Clock } from "../client/clock";

/** Of how many steps the pauses are looked at. */
const REMEMBERED = 64;

/** When Pulumi's engine begins the steps of a run, and how many of them wait in the window of a batch. */
export class StepPace {
  #underWay = 0;
  #waiting = 0;
  /** When the last steps began. */
  #beganAtMs: number[] = [];
  readonly #clock: Pick<Clock, "now">;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Carries out the work of a step. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#beganAtMs = [...this.#beganAtMs, this.#clock.now()].slice(-REMEMBERED);
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Counts `steps` as waiting in a window, or no longer where it is negative. */
  addWaiting(steps: number): void {
    this.#waiting += steps;
  }

  /** Whether no step of this process does anything but wait for others. */
  areAllWaiting(): boolean {
    return this.#waiting >= this.#underWay;
  }

  /** Milliseconds since the last step began; 0 where none did. */
  sinceLastMs(): number {
    const nowMs = this.#clock.now();
    return nowMs - (this.#beganAtMs.at(-1) ?? nowMs);
  }

  /** The median of the milliseconds between the begins of two steps; Infinity where there were no two. */
  usualPauseMs(): number {
    const pausesMs = this.#beganAtMs
      .slice(1)
      .map((beganAtMs, index) => beganAtMs - (this.#beganAtMs[index] ?? 0))
      .sort((one, other) => one - other);
    return pausesMs[Math.floor(pausesMs.length / 2)] ?? Infinity;
  }
}
