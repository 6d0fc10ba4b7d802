import { InvalidInputError, isAmbiguous } from "../client/errors";
import type { Context } from "../define/context";

const ATTEMPTS = 5;

export interface OnceOnly<T> {
  readonly send: () => Promise<T>;
  /** Looks whether the write happened; undefined when it did not. */
  readonly landed: () => Promise<T | undefined>;
}

/** Sends a write that must not happen twice: after an unclear outcome it is looked up, and repeated only if it is not there. */
export async function writeOnce<T>(ctx: Context, write: OnceOnly<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write.send();
    } catch (error) {
      if (!isAmbiguous(error)) throw error;
      const found = await lookUp(ctx, write, attempt).catch((reason: unknown) => {
        // Cancelled meanwhile, or not to be looked up: the outcome stays unclear, and must be told as such.
        throw reason instanceof InvalidInputError ? reason : error;
      });
      if (found !== undefined) return found;
      if (attempt >= ATTEMPTS || ctx.clock.now() >= ctx.deadlineMs) throw error;
    }
  }
}

/** A request that a gateway gave up on may still be under way: it gets a moment before the look. */
async function lookUp<T>(ctx: Context, write: OnceOnly<T>, attempt: number): Promise<T | undefined> {
  const pauseMs = Math.min(500 * 2 ** (attempt - 1), 8_000);
  await ctx.clock.sleep(Math.max(0, Math.min(pauseMs, ctx.deadlineMs - ctx.clock.now())), ctx.signal);
  return write.landed();
}
