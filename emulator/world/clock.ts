/** The emulator's time. Every state, window and token lifetime is computed from it, never from timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that runs with the machine's and can be moved forward. */
export class MovableClock implements Clock {
  private movedMs = 0;

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
  }
}
