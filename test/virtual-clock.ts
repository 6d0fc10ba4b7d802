import type { Clock } from "../provider/client/clock";

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** Real milliseconds of quiet, for answers that are under way on loopback, before time jumps to the next sleeper. */
const QUIET_MS = 4;

/**
 * A clock for the provider and the emulator together: nobody waits. When something sleeps, time jumps to the earliest
 * wake-up as soon as nothing new has gone to sleep for a moment.
 */
export class VirtualClock implements Clock {
  private sleepers: Sleeper[] = [];
  private jump: NodeJS.Timeout | undefined;

  constructor(private nowMs = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.nowMs;
  }

  /** Half of the jitter, always: runs are repeatable. */
  random(): number {
    return 0.5;
  }

  advance(ms: number): void {
    this.nowMs += ms;
    this.wakeDue();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.sleepers = this.sleepers.filter((one) => one !== sleeper);
        reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      const sleeper: Sleeper = {
        wakeAtMs: this.nowMs + Math.max(0, ms),
        wake: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      if (signal?.aborted === true) return onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      this.sleepers.push(sleeper);
      this.scheduleJump();
    });
  }

  private scheduleJump(): void {
    clearTimeout(this.jump);
    this.jump = setTimeout(() => {
      const [first] = [...this.sleepers].sort((a, b) => a.wakeAtMs - b.wakeAtMs);
      if (first === undefined) return;
      this.nowMs = Math.max(this.nowMs, first.wakeAtMs);
      this.wakeDue();
      if (this.sleepers.length > 0) this.scheduleJump();
    }, QUIET_MS);
  }

  private wakeDue(): void {
    const due = this.sleepers.filter(({ wakeAtMs }) => wakeAtMs <= this.nowMs);
    this.sleepers = this.sleepers.filter(({ wakeAtMs }) => wakeAtMs > this.nowMs);
    for (const { wake } of due) wake();
  }
}
