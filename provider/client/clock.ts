/** The time by which the provider waits; injected, so that tests run without waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1) for jitter. */
  random(): number;
  /**
   * Calls `act` after `ms` milliseconds, at most `LONGEST_TIMER_MS`, unless what it returns is called before: ends what is under
   * way and takes too long. In real time where it is absent.
   */
  timer?(ms: number, act: () => void): () => void;
}

/** Timers of a longer time end at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function startTimer(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    let leftMs = ms;
    for (; leftMs > LONGEST_TIMER_MS; leftMs -= LONGEST_TIMER_MS) await timer(LONGEST_TIMER_MS, signal);
    await timer(leftMs, signal);
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(toError(signal.reason));
    const onAbort = (): void => {
      clearTimeout(running);
      reject(toError(signal?.reason));
    };
    const running = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
