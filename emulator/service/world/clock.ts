import { setTimeout } from "node:timers/promises";

/** The emulator's time. Every state, window and token lifetime is computed from it, never from timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Ends after so much of its time; in real time when absent. */
  sleep?(ms: number): Promise<void>;
  /** What a call waits for that has no answer yet; a clock that jumps may do so meanwhile. */
  passWhile?<T>(wait: Promise<T>): Promise<T>;
  /** Work without an open call, such as that behind a gateway which has answered; a clock that jumps must not do so meanwhile. */
  holdWhile?<T>(work: Promise<T>): Promise<T>;
}

/** Lets the clock's time pass. */
export function sleepBy(clock: Clock, ms: number): Promise<void> {
  return clock.sleep?.(ms) ?? setTimeout(ms, undefined, { ref: false });
}

/** The same for a wait of a call that has no answer yet. */
export function waitBy<T>(clock: Clock, wait: Promise<T>): Promise<T> {
  return clock.passWhile?.(wait) ?? wait;
}

/** The same for work that takes the machine's time, and none of the clock's. */
export function holdBy<T>(clock: Clock, work: Promise<T>): Promise<T> {
  return clock.holdWhile?.(work) ?? work;
}

/** A clock that runs with the machine's and can be moved forward. */
export class MovableClock implements Clock {
  private movedMs = 0;
  private readonly sleepers = new Set<() => void>();

  constructor(private readonly source: Clock = { now: () => Date.now() }) {}

  now(): number {
    return this.source.now() + this.movedMs;
  }

  /** How far it was moved so far; behind zero where it goes on from an earlier time. */
  get offsetMs(): number {
    return this.movedMs;
  }

  /** Goes on from a time, which may have passed. */
  continueFrom(now: number): void {
    this.movedMs = now - this.source.now();
  }

  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`A clock moves forward only: got ${ms} ms`);
    this.movedMs += ms;
    for (const look of [...this.sleepers]) look();
  }

  /** Ends when the clock is there, by itself or moved. */
  sleep(ms: number): Promise<void> {
    const untilMs = this.now() + ms;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const look = (): void => {
        clearTimeout(timer);
        const leftMs = untilMs - this.now();
        if (leftMs > 0) {
          timer = globalThis.setTimeout(look, Math.min(leftMs, LONGEST_TIMER_MS)).unref();
          return;
        }
        this.sleepers.delete(look);
        resolve();
      };
      this.sleepers.add(look);
      look();
    });
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A clock that control can move when it has `advance`, that a data folder can set again when it has `offsetMs`, and that goes on
 * from the time of an exported world when it has `continueFrom`.
 */
export type EmulatorClock = Clock & {
  advance?(ms: number): void;
  readonly offsetMs?: number;
  continueFrom?(now: number): void;
};
