import { constants } from "node:os";

/** How often the parent is looked at: a job has ten seconds once it is cancelled. */
const PARENT_POLL_MS = 500;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Work that was cancelled, and stopped where nothing is left half-way. */
export class Interrupted extends Error {}

/**
 * Runs work that must not be left half-way: the first of SIGINT, SIGTERM and SIGHUP, or the end of the process that started
 * this one, as of `npx`, aborts the signal, and the work is awaited. Others are ignored, as forges send several. The exit code
 * is then that of the signal.
 */
export async function runInterruptible(
  work: (signal: AbortSignal) => Promise<number>,
  say: (line: string) => void,
): Promise<number> {
  const abort = new AbortController();
  let stopped: number | undefined;
  const stop = (why: string, signal: NodeJS.Signals): void => {
    if (stopped !== undefined) return;
    stopped = 128 + constants.signals[signal];
    say(`${why}: stopping; waiting until the stack is unlocked.`);
    abort.abort(new Interrupted(`Stopped by ${why}.`));
  };
  const listeners = SIGNALS.map((name) => [name, () => stop(name, name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) stop("the end of the process that started this one", "SIGTERM");
  }, PARENT_POLL_MS);
  watch.unref();
  try {
    const code = await work(abort.signal);
    return stopped ?? code;
  } catch (error) {
    if (stopped === undefined) throw error;
    // What was stopped says how.
    if (!(error instanceof Interrupted)) say(error instanceof Error ? error.message : String(error));
    return stopped;
  } finally {
    clearInterval(watch);
    for (const [name, listener] of listeners) process.off(name, listener);
  }
}
