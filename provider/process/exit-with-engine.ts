import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:http2";

/** How long a write that has left may take to be answered before the process ends all the same. */
const GRACE_PERIOD_MS = 10_000;

/** A provider's steps, and its end when nobody records any more what they do. */
export interface StepRunner {
  /** Aborts when the engine is gone: every wait ends, and no further request leaves. */
  readonly signal: AbortSignal;
  /** To be called when the engine's address has become known. */
  watch(): void;
  /** Runs a step of which the engine awaits the outcome. */
  run<T>(step: () => Promise<T>): Promise<T>;
}

/**
 * Without its engine a provider must not go on. A write that has left is awaited for a while, so that the ledger learns
 * what it made; then `end` is called. The engine is watched from the moment that its address is known.
 */
export function exitWithEngine(
  engineAddress: () => string | undefined,
  end: () => void = () => process.exit(1),
): StepRunner {
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

const LOOK_AGAIN_MS = 1_000;
/** Refusals in a row before an engine that was never reached counts as gone. */
const REFUSALS_WITHOUT_CONTACT = 5;

/**
 * Tells once when the engine at `address`, as `127.0.0.1:4711`, is gone, however it ended. No signal and no parent process
 * does: the launcher that Pulumi ships for dynamic providers is a shell that outlives the engine with its provider.
 */
export function watchEngine(address: string, gone: () => void): void {
  let wasReached = false;
  let refusals = 0;
  const look = (): void => {
    // A whole HTTP/2 session, though nothing is asked: the engine waits at its end for connections that are half made.
    const session = connect(`http://${address}`);
    session.unref();
    let isConnected = false;
    session.on("connect", () => {
      isConnected = wasReached = true;
      refusals = 0;
    });
    session.on("error", (error: Error) => {
      if ("code" in error && error.code === "ECONNREFUSED") refusals += 1;
    });
    session.on("close", () => {
      if (refusals >= (wasReached ? 1 : REFUSALS_WITHOUT_CONTACT)) gone();
      else setTimeout(look, isConnected ? 0 : LOOK_AGAIN_MS).unref();
    });
  };
  look();
}
