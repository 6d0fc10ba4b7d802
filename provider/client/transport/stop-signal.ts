import { setMaxListeners } from "node:events";
import { LONGEST_TIMER_MS } from "../clock";

export type StopKind = "cancelled" | "deadline" | "rate limit" | "timeout";

/** Why a wait or a request was ended before its time. */
export class Stop extends Error {
  constructor(readonly kind: StopKind) {
    super(kind);
  }
}

/** A signal that aborts with its parents, or after a time if one is given. */
export class StopSignal {
  readonly #controller = new AbortController();
  readonly #timers = new Set<() => void>();
  readonly #parents = new Set<() => void>();

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
   * what calls it off. A time that is over stops at once, before anything else can happen.
   */
  stopAfter(ms: number, kind: StopKind): () => void {
    if (ms <= 0) this.#controller.abort(new Stop(kind));
    if (this.signal.aborted || ms === Infinity) return () => undefined;
    const timer = setTimeout(() => this.#controller.abort(new Stop(kind)), Math.min(ms, LONGEST_TIMER_MS));
    const callOff = (): void => {
      clearTimeout(timer);
      this.#timers.delete(callOff);
    };
    this.#timers.add(callOff);
    return callOff;
  }

  /** From now on the parents stop nothing; times still do. */
  leaveParents(): void {
    for (const leave of this.#parents) leave();
    this.#parents.clear();
  }

  release(): void {
    this.leaveParents();
    for (const callOff of this.#timers) callOff();
    this.#timers.clear();
  }

  #follow(parent: AbortSignal): void {
    const stop = (): void =>
      this.#controller.abort(parent.reason instanceof Stop ? parent.reason : new Stop("cancelled"));
    if (parent.aborted) return stop();
    setMaxListeners(0, parent);
    parent.addEventListener("abort", stop, { once: true });
    this.#parents.add(() => parent.removeEventListener("abort", stop));
  }
}

/** The work's result, or the signal's reason as soon as it aborts: the work itself may go on for others. */
export function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
