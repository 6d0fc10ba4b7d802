import { setMaxListeners } from "node:events";

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
  readonly #cleanUp: (() => void)[] = [];

  constructor(parents: readonly (AbortSignal | undefined)[]) {
    // Hundreds of waits share one signal on purpose; each takes its listener away again.
    setMaxListeners(0, this.signal);
    for (const parent of parents) if (parent !== undefined) this.#follow(parent);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** In real time, unlike all waits: an answer under way takes real time even where the clock is a virtual one. */
  stopAfter(ms: number, kind: StopKind): void {
    const timer = setTimeout(() => this.#controller.abort(new Stop(kind)), ms);
    this.#cleanUp.push(() => clearTimeout(timer));
  }

  release(): void {
    for (const cleanUp of this.#cleanUp.splice(0)) cleanUp();
  }

  #follow(parent: AbortSignal): void {
    const stop = (): void =>
      this.#controller.abort(parent.reason instanceof Stop ? parent.reason : new Stop("cancelled"));
    if (parent.aborted) return stop();
    setMaxListeners(0, parent);
    parent.addEventListener("abort", stop, { once: true });
    this.#cleanUp.push(() => parent.removeEventListener("abort", stop));
  }
}
