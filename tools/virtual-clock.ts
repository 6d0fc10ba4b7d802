import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { startTimer, type Clock } from "../provider/client/clock";

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** What ends a request that is under way for too long. */
interface Timer {
  atMs: number;
  readonly act: () => void;
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
  private readonly timers = new Set<Timer>();
  private readonly underWay = new Set<unknown>();
  /** Requests under way whose answers wait for this clock. */
  private servedSlowly = 0;
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

  /** Skips time, of which requests under way see nothing. */
  advance(ms: number): void {
    this.nowMs += ms;
    for (const timer of this.timers) timer.atMs += ms;
    this.wakeDue();
  }

  /** Beside the real one, it comes when the time has jumped that far. */
  timer(ms: number, act: () => void): () => void {
    const timer: Timer = {
      atMs: this.nowMs + Math.ceil(ms),
      act: () => {
        callOff();
        act();
      },
    };
    const callOffReal = startTimer(ms, timer.act);
    const callOff = (): void => {
      callOffReal();
      this.timers.delete(timer);
    };
    this.timers.add(timer);
    return callOff;
  }

  /** For a service that takes its time for an answer: the time may jump though a request is under way. */
  async passWhile<T>(wait: Promise<T>): Promise<T> {
    this.servedSlowly += 1;
    try {
      return await wait;
    } finally {
      this.servedSlowly -= 1;
      this.changes += 1;
    }
  }

  /** For what a service does on after it has answered: the time jumps no further before that has ended. */
  async holdWhile<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work);
    try {
      return await work;
    } finally {
      this.underWay.delete(work);
      this.changes += 1;
    }
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
      quietTurns = seen === this.changes && this.underWay.size <= this.servedSlowly ? quietTurns + 1 : 0;
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
    const next = Math.min(
      ...[...this.sleepers].map(({ wakeAtMs }) => wakeAtMs),
      ...[...this.timers].map(({ atMs }) => atMs),
    );
    if (Number.isFinite(next)) this.nowMs = Math.max(this.nowMs, next);
    for (const { atMs, act } of [...this.timers]) if (atMs <= this.nowMs) act();
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
