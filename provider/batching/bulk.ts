import DataLoader from "dataloader";
import { ApiError, CancelledError, isContentRefusal, TimeoutError } from "../client/errors/errors";
import type { Clock } from "../client/clock";
import type { BulkItem, StepLimits } from "../define/shared-calls";
import { BatchWindow } from "./batch-window";
import type { StepPace } from "./step-pace";

const LARGEST_BULK = 1_000;

type BulkClock = Pick<Clock, "now" | "sleep">;

/** An item that waits for the answer to its bulk. */
interface PendingItem extends BulkItem<unknown> {
  /** The limits of the bulk that it was sent with. */
  bulkLimits?: StepLimits;
  isAbandoned: boolean;
  /** Called when it is abandoned after it was sent. */
  onAbandon: () => void;
}

/** Writes of one kind to one project: those that come in one window, or while a bulk is under way, are one call. */
export interface Bulk {
  /** `hasWaited`: the listing that it rests on has waited for the others of its window already. */
  add(item: BulkItem<unknown>, hasWaited: boolean): Promise<void>;
}

export function createBulk(clock: BulkClock, pace: StepPace): Bulk {
  let lastBulk: Promise<unknown> = Promise.resolve();
  let sending: Promise<unknown> = Promise.resolve();
  const window = new BatchWindow(clock, pace);
  const loader = new DataLoader<PendingItem, true>((items) => (sending = sendTogether(items)), {
    cache: false,
    maxBatchSize: LARGEST_BULK,
    // Called with the first item of a bulk: it leaves after its window and after all bulks that began before it.
    batchScheduleFn: (dispatch) => {
      const ready = Promise.all([lastBulk, window.end()]);
      lastBulk = ready.then(() => {
        window.release();
        dispatch();
        return sending.catch(() => undefined);
      });
    },
  });
  return {
    add: async (item, hasWaited) => {
      const pending: PendingItem = { ...item, isAbandoned: false, onAbandon: () => undefined };
      window.extend(hasWaited);
      await awaitWithinLimits(pending, loader.load(pending), clock);
    },
  };
}

/** The answer to the bulk, unless the item's own time is over before; a cancelled write that was sent is awaited. */
async function awaitWithinLimits(
  pending: PendingItem,
  answer: Promise<unknown>,
  clock: BulkClock,
): Promise<void> {
  const { limits } = pending;
  const waiting = new AbortController();
  const abandon = (): void => {
    pending.isAbandoned = true;
    pending.onAbandon();
  };
  const createTimeoutError = async (): Promise<unknown> => {
    await clock.sleep(limits.deadlineMs - clock.now(), waiting.signal);
    const { bulkLimits } = pending;
    // The bulk ends now as well, and its own error says more.
    if (bulkLimits?.deadlineMs === limits.deadlineMs) return answer;
    abandon();
    const why =
      bulkLimits === undefined
        ? "earlier bulk requests were still in progress"
        : "its bulk request had no answer yet";
    throw new TimeoutError(
      `It timed out: ${why}. The next run checks the outcome. Raise \`timeouts\` if it needs longer.`,
      bulkLimits !== undefined,
    );
  };
  const cancelled = Promise.withResolvers<never>();
  const onAbort = (): void => {
    abandon();
    if (pending.bulkLimits === undefined)
      cancelled.reject(new CancelledError("It was cancelled before it was sent."));
  };
  if (limits.signal.aborted) onAbort();
  else limits.signal.addEventListener("abort", onAbort, { once: true });
  const ends = [
    answer,
    cancelled.promise,
    ...(Number.isFinite(limits.deadlineMs) ? [createTimeoutError()] : []),
  ];
  // Those that come later are not awaited.
  for (const end of ends) end.catch(() => undefined);
  try {
    await Promise.race(ends);
  } finally {
    limits.signal.removeEventListener("abort", onAbort);
    waiting.abort(new CancelledError("The item has its answer."));
  }
}

/** Sends the items that are not abandoned; a bulk that is refused for its content is halved until the bad items stand alone. */
async function sendTogether(items: readonly PendingItem[]): Promise<(true | Error)[]> {
  const wanted = items.filter(({ isAbandoned }) => !isAbandoned);
  const [latest] = [...wanted].sort((a, b) => b.limits.deadlineMs - a.limits.deadlineMs);
  if (latest === undefined) return items.map(() => true);
  try {
    await latest.send(
      wanted.map(({ item }) => item),
      shareLimits(wanted, latest.limits.deadlineMs),
    );
    return items.map(() => true);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    // Of what is too large together, a half may not be.
    const isContentRefused = isContentRefusal(error) || (error instanceof ApiError && error.status === 413);
    if (!isContentRefused || items.length === 1) return items.map(() => failure);
    const middle = Math.ceil(items.length / 2);
    const first = await sendTogether(items.slice(0, middle));
    return [...first, ...(await sendTogether(items.slice(middle)))];
  }
}

/** The bulk ends at the latest deadline of its items, and is cancelled when all of them are abandoned. */
function shareLimits(items: readonly PendingItem[], deadlineMs: number): StepLimits {
  const unwanted = new AbortController();
  const onWrite = (): (() => void) => {
    const answered = items.map(({ limits }) => limits.onWrite?.());
    return () => answered.forEach((tell) => tell?.());
  };
  const sendsOnce = items.some(({ limits }) => limits.sendsOnce === true);
  const limits: StepLimits = { deadlineMs, signal: unwanted.signal, onWrite, sendsOnce };
  for (const item of items) {
    item.bulkLimits = limits;
    item.onAbandon = () => {
      if (items.every(({ isAbandoned }) => isAbandoned))
        unwanted.abort(new CancelledError("No caller waits for the bulk request.", true));
    };
  }
  return limits;
}
