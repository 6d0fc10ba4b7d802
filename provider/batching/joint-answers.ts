import type { Clock } from "../client/clock";
import { BatchWindow } from "./batch-window";
import type { StepPace } from "./step-pace";

/** Who has asked for one answer in this run. */
interface Askers {
  readonly kinds: Set<string>;
  readonly window: BatchWindow;
  /** Resolves when steps of a second kind have asked. */
  readonly second: PromiseWithResolvers<true>;
}

/** Answers that serve several kinds of steps, each of which has a call of its own as well. */
export class JointAnswers {
  readonly #askers = new Map<string, Askers>();
  readonly #clock: Pick<Clock, "now" | "sleep">;
  readonly #pace: StepPace;

  constructor(clock: Pick<Clock, "now" | "sleep">, pace: StepPace) {
    this.#clock = clock;
    this.#pace = pace;
  }

  /** Only the first one waits, and no longer than for the second. */
  async isForSeveral(key: string, kind: string): Promise<boolean> {
    const askers = this.#askers.get(key) ?? this.#addAskers(key);
    const { kinds, window, second } = askers;
    kinds.add(kind);
    if (kinds.size > 1) {
      second.resolve(true);
      return true;
    }
    window.extend();
    await Promise.race([second.promise, window.end()]);
    window.release();
    return kinds.size > 1;
  }

  #addAskers(key: string): Askers {
    const askers: Askers = {
      kinds: new Set(),
      window: new BatchWindow(this.#clock, this.#pace),
      second: Promise.withResolvers<true>(),
    };
    this.#askers.set(key, askers);
    return askers;
  }
}
