import { type ApiError, isBusy, isRefusal } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import { poll } from "../../../waiting/poll";
import { signingKeyProblems } from "../../../define/problems";

const SOUNDS_TOO_SOON =
  /too (soon|early|recent|many)|recently|throttl|\bwait\b|again (later|in)|cool.?down|\bminutes?\b/i;
/** "Throttled (minutes)" (service, Signing keys): a refusal within this time after a change of any key is put down to it. */
const RECENTLY_MS = 10 * 60_000;

/** Waits between tries: the pause takes minutes, so few tries are enough. */
export const unhurried = { firstDelayMs: 5_000, longestDelayMs: 60_000 };

/** The times of a key, as far as it has any. */
export interface KeyTimes {
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
}

/** Whether the service refuses a change of a key's state; by which answer is not specified. */
export function isChangeRefused(error: unknown): error is ApiError {
  return isRefusal(error) || isBusy(error);
}

/** The project's previously used keys are in the way until one is revoked: no time that passes changes that (service, Signing keys). */
const NO_ROOM = /previously used signing keys/i;

export function isWithoutRoom({ serviceMessage }: ApiError): boolean {
  return NO_ROOM.test(serviceMessage);
}

/** Whether a refusal will pass, because the last change of a state among the project's keys is not long ago. */
export function isTooSoon(refusal: ApiError, keys: readonly KeyTimes[], nowMs: number): boolean {
  if (isWithoutRoom(refusal)) return false;
  if (SOUNDS_TOO_SOON.test(refusal.serviceMessage)) return true;
  return keys.some(({ created_at, updated_at }) => {
    const isChanged = updated_at != null && updated_at !== created_at;
    return isChanged && nowMs - Date.parse(updated_at) < RECENTLY_MS;
  });
}

export function explainNoRoom(refusal: ApiError): ApiError {
  return replaceMessage(refusal, signingKeyProblems.noRoom.message({ answer: quoteServiceMessage(refusal) }));
}

/** Sends a change of a key's state, and again until the deadline while it comes too soon after the last one. */
export async function retryWhileTooSoon<T>(
  ctx: Context,
  what: string,
  keys: readonly KeyTimes[],
  send: () => Promise<T>,
): Promise<T> {
  return poll<{ answer: T } | { refusal: string }, T>(ctx, {
    what,
    ...unhurried,
    look: async () => {
      try {
        return { answer: await send() };
      } catch (error) {
        if (isChangeRefused(error) && isWithoutRoom(error)) throw explainNoRoom(error);
        if (isChangeRefused(error) && isTooSoon(error, keys, ctx.clock.now()))
          return { refusal: error.serviceMessage };
        throw error;
      }
    },
    judge: (seen) =>
      "answer" in seen
        ? { kind: "done", value: seen.answer }
        : { kind: "waiting", reason: signingKeyProblems.tooSoon.message({ answer: seen.refusal }) },
  });
}
