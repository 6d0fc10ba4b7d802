import {
  ApiError,
  InvalidInputError,
  isAmbiguous,
  isTransient,
  mayBeUnderWay,
} from "../client/errors/errors";
import type { Context } from "../define/context";

const ATTEMPTS = 5;
/** Looks before a write that must never happen twice is sent again: some fifteen seconds. */
const PATIENT_LOOKS = 5;
/** How long a write is looked for whose answer a gateway did not wait for: measured deploys and merges are over by then. */
const UNDER_WAY_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 8_000;

export interface WriteOnceOptions<T> {
  readonly send: () => Promise<T>;
  /** Looks up what the write made or changed; undefined when it did not happen. */
  readonly findResult: () => Promise<T | undefined>;
  /** Whether the write happening twice would do harm: it is looked for longer before it is repeated. */
  readonly isPatient?: boolean;
}

/** Sends a write that must not happen twice: after an unclear outcome it is looked up, and repeated only if it is not there. */
export async function writeOnce<T>(ctx: Context, write: WriteOnceOptions<T>): Promise<T> {
  let isUnclear = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write.send();
    } catch (error) {
      // A refusal of the repeated write may be due to the first one.
      if (!isAmbiguous(error) && !isUnclear) throw error;
      const found = await lookUpResult(ctx, write, { attempt, error }).catch((reason: unknown) => {
        // Cancelled meanwhile, or not to be looked up: the outcome stays unclear, and must be reported as such.
        throw reason instanceof InvalidInputError ? reason : error;
      });
      if (found !== undefined) return found;
      if (!mayBeRepeated(error) || attempt >= ATTEMPTS || ctx.clock.now() >= ctx.deadlineMs) throw error;
      isUnclear = true;
    }
  }
}

/** A status that says neither yes nor no, such as 402 or a redirect, comes again. */
function mayBeRepeated(error: unknown): boolean {
  return error instanceof ApiError ? isTransient(error) : isAmbiguous(error);
}

interface FailedWrite {
  readonly attempt: number;
  readonly error: unknown;
}

/** A request that a gateway gave up on may still be under way: it gets a moment before each look. */
async function lookUpResult<T>(
  ctx: Context,
  { findResult, isPatient = false }: WriteOnceOptions<T>,
  { attempt, error }: FailedWrite,
): Promise<T | undefined> {
  if (isPatient && mayBeUnderWay(error)) return findWhileUnderWay(ctx, findResult);
  const looks = isPatient ? PATIENT_LOOKS : 1;
  for (let look = 0; look < looks; look += 1) {
    const pauseMs = Math.min(500 * 2 ** (attempt - 1 + look), LONGEST_PAUSE_MS);
    const leftMs = Math.max(0, ctx.deadlineMs - ctx.clock.now());
    await ctx.clock.sleep(Math.min(pauseMs, leftMs), ctx.signal);
    const found = await findResult();
    if (found !== undefined) return found;
    if (leftMs <= pauseMs) break;
  }
  return undefined;
}

/** Looks for what a write makes on which the service may still be working, for some minutes. */
export async function findWhileUnderWay<T>(
  ctx: Context,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  ctx.progress("the request had no answer: looking for what came of it");
  const untilMs = Math.min(ctx.clock.now() + UNDER_WAY_MS, ctx.deadlineMs);
  for (;;) {
    const found = await find();
    const leftMs = untilMs - ctx.clock.now();
    if (found !== undefined || leftMs <= 0) return found;
    await ctx.clock.sleep(Math.min(LONGEST_PAUSE_MS, leftMs), ctx.signal);
  }
}
