import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Clock } from "../provider/client/clock";

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** Turns of the event loop without a change after which nothing is on its way within this process. */
const QUIET_TURNS = 20;

/**
 * Time that jumps to the next wake-up once no HTTP request is under way and nothing has happened for some turns of the
 * event loop: waits cost nothing, and no answer is overtaken by a wait.
 */
export class VirtualClock implements Clock {
  nowMs = Date.UTC(2026, 0, 1);
  /** All waits in the order they were begun. */
  readonly sleeps: number[] = [];
  /** What `random` returns. */
  jitter = 0.5;
  private readonly sleepers = new Set<Sleeper>();
  private readonly underWay = new Set<unknown>();
  private changes = 0;
  private isWatching = false;

  constructor() {
    subscribe("undici:request:create", this.onSend);
    subscribe("undici:request:trailers", this.onEnd);
    subscribe("undici:request:error", this.onEnd);
  }

  close(): void {
    unsubscribe("undici:request:create", this.onSend);
    unsubscribe("undici:request:trailers", this.onEnd);
    unsubscribe("undici:request:error", this.onEnd);
  }

  now(): number {
    return this.nowMs;
  }

  random(): number {
    return this.jitter;
  }

  advance(ms: number): void {
    this.nowMs += ms;
    this.wakeDue();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      this.sleeps.push(ms);
      const leave = (): void => {
        this.sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        wakeAtMs: this.nowMs + Math.max(0, Math.ceil(ms)),
        wake: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.sleepers.add(sleeper);
      this.changes += 1;
      this.watch();
    });
  }

  private readonly onSend = (message: unknown): void => {
    this.underWay.add((message as { request: unknown }).request);
    this.changes += 1;
  };

  private readonly onEnd = (message: unknown): void => {
    this.underWay.delete((message as { request: unknown }).request);
    this.changes += 1;
  };

  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    let seen = this.changes;
    let quietTurns = 0;
    const turn = (): void => {
      quietTurns = seen === this.changes && this.underWay.size === 0 ? quietTurns + 1 : 0;
      seen = this.changes;
      if (quietTurns >= QUIET_TURNS) {
        quietTurns = 0;
        this.jump();
      }
      if (this.sleepers.size > 0) setImmediate(turn);
      else this.isWatching = false;
    };
    setImmediate(turn);
  }

  private jump(): void {
    const next = Math.min(...[...this.sleepers].map(({ wakeAtMs }) => wakeAtMs));
    if (Number.isFinite(next)) this.nowMs = Math.max(this.nowMs, next);
    this.wakeDue();
  }

  private wakeDue(): void {
    for (const sleeper of [...this.sleepers]) {
      if (sleeper.wakeAtMs > this.nowMs) continue;
      this.sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
