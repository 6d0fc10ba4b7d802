import { setMaxListeners } from "node:events";
import { CancelledError } from "../errors/errors";
import { type Clock, LONGEST_TIMER_MS, startTimer } from "../clock";

export type StopKind = "cancelled" | "deadline" | "rate limit" | "timeout";

/** Why a wait or a request was ended before its time. */
export class StopError extends Error {
  constructor(
    readonly kind: StopKind,
    /** How long a write that has left may still take; undefined for as long as it does. */
    readonly graceMs?: number,
  ) {
    super(kind);
  }
}

/** A signal that aborts with its parents, or after a time if one is given. */
export class StopSignal {
  readonly #controller = new AbortController();
  readonly #timers = new Set<() => void>();
  readonly #parents = new Map<AbortSignal, () => void>();
  readonly #clock: Pick<Clock, "timer">;

  constructor(parents: readonly (AbortSignal | undefined)[], clock: Pick<Clock, "timer">) {
    this.#clock = clock;
    // Hundreds of waits share one signal on purpose; each takes its listener away again.
    setMaxListeners(0, this.signal);
    for (const parent of parents) if (parent !== undefined) this.#follow(parent, () => this.#stopAs(parent));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Returns what calls it off. A time that is over stops at once, before anything else can happen. */
  stopAfter(ms: number, kind: StopKind): () => void {
    if (ms <= 0) this.#controller.abort(new StopError(kind));
    return this.actAfter(ms, () => this.#controller.abort(new StopError(kind)));
  }

  /** Calls `act` once, unless it is called off, or all is over before. */
  actAfter(ms: number, act: () => void): () => void {
    if (this.signal.aborted || ms === Infinity) return () => undefined;
    const { timer = startTimer } = this.#clock;
    const stop = timer.call(this.#clock, Math.min(ms, LONGEST_TIMER_MS), act);
    const callOff = (): void => {
      stop();
      this.#timers.delete(callOff);
    };
    this.#timers.add(callOff);
    return callOff;
  }

  /** From now on the parents stop nothing, unless one allows no more than a time; times still do. */
  outliveParents(): void {
    const parents = [...this.#parents.keys()];
    this.#leaveParents();
    for (const parent of parents) {
      this.#follow(parent, () => {
        const reason: unknown = parent.reason;
        if (reason instanceof StopError && reason.graceMs !== undefined)
          this.stopAfter(reason.graceMs, "cancelled");
      });
    }
  }

  release(): void {
    this.#leaveParents();
    for (const callOff of this.#timers) callOff();
    this.#timers.clear();
  }

  #stopAs({ reason }: AbortSignal): void {
    const graceMs = reason instanceof CancelledError ? reason.graceMs : undefined;
    this.#controller.abort(reason instanceof StopError ? reason : new StopError("cancelled", graceMs));
  }

  #follow(parent: AbortSignal, onAbort: () => void): void {
    if (parent.aborted) return onAbort();
    setMaxListeners(0, parent);
    parent.addEventListener("abort", onAbort, { once: true });
    this.#parents.set(parent, () => parent.removeEventListener("abort", onAbort));
  }

  #leaveParents(): void {
    for (const leave of this.#parents.values()) leave();
    this.#parents.clear();
  }
}

/** The work's result, or the signal's reason as soon as it aborts: the work itself may go on for others. */
export function raceWithStop<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
