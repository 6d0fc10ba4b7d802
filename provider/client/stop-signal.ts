import { setMaxListeners } from "node:events";

/** Timers of a longer time end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type StopKind = "cancelled" | "deadline" | "timeout";

/** Why a wait or a request was ended before its time. */
export class Stop extends Error {
  constructor(readonly kind: StopKind) {
    super(kind);
  }
}

/** A signal that aborts with its parents, or after a time if one is given. */
export class StopSignal {
  readonly #controller = new AbortController();
  readonly #cleanUp = new Set<() => void>();

  constructor(parents: readonly (AbortSignal | undefined)[]) {
    // Hundreds of waits share one signal on purpose; each takes its listener away again.
    setMaxListeners(0, this.signal);
    for (const parent of parents) if (parent !== undefined) this.#follow(parent);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * In real time, unlike all waits: an answer under way takes real time even where the clock is a virtual one. Returns
   * what calls it off.
   */
  stopAfter(ms: number, kind: StopKind): () => void {
    const timer = setTimeout(() => this.#controller.abort(new Stop(kind)), Math.min(ms, LONGEST_TIMER_MS));
    const callOff = (): void => {
      clearTimeout(timer);
      this.#cleanUp.delete(callOff);
    };
    this.#cleanUp.add(callOff);
    return callOff;
  }

  release(): void {
    for (const cleanUp of this.#cleanUp) cleanUp();
    this.#cleanUp.clear();
  }

  #follow(parent: AbortSignal): void {
    const stop = (): void =>
      this.#controller.abort(parent.reason instanceof Stop ? parent.reason : new Stop("cancelled"));
    if (parent.aborted) return stop();
    setMaxListeners(0, parent);
    parent.addEventListener("abort", stop, { once: true });
    this.#cleanUp.add(() => parent.removeEventListener("abort", stop));
  }
}
