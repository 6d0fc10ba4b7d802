import { setTimeout as sleep } from "node:timers/promises";
import { watchEngine } from "./engine-watch";

/** How long a write that has left may take to be answered before the process ends all the same. */
const GRACE_PERIOD_MS = 10_000;

/** A provider's steps, and its end when nobody records any more what they do. */
export interface Steps {
  /** Aborts when the engine is gone: every wait ends, and no further request leaves. */
  readonly signal: AbortSignal;
  /** To be called when the engine's address has become known. */
  watch(): void;
  /** Runs a step of which the engine awaits the outcome. */
  run<T>(step: () => Promise<T>): Promise<T>;
}

/**
 * Without its engine a provider must not go on. A write that has left is awaited for a while, so that the journal learns
 * what it made; then `end` is called. The engine is watched from the moment that its address is known.
 */
export function endingAlone(
  engineAddress: () => string | undefined,
  end: () => void = () => process.exit(1),
): Steps {
  const alone = new AbortController();
  const running = new Set<Promise<unknown>>();
  let isWatching = false;

  const watch = (): void => {
    const address = engineAddress();
    if (isWatching || address?.includes(":") !== true) return;
    isWatching = true;
    watchEngine(address, () => {
      alone.abort(new Error("Pulumi's engine has ended."));
      const ended = Promise.allSettled([...running]);
      void Promise.race([ended, sleep(GRACE_PERIOD_MS, undefined, { ref: false })]).finally(end);
    });
  };

  watch();
  return {
    signal: alone.signal,
    watch,
    run: async (step) => {
      const promise = step();
      running.add(promise);
      try {
        return await promise;
      } finally {
        running.delete(promise);
      }
    },
  };
}
