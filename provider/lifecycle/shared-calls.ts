import DataLoader from "dataloader";
import { ApiError, CancelledError, RateLimitedError, TimeoutError } from "../client/errors";
import type { Clock } from "../client/clock";
import type { SharedCalls } from "../define/shared-calls";

/**
 * How long no further item may have come before a bulk leaves. The engine writes its state before each step it starts,
 * so the steps of one wave come one after the other, some tens of milliseconds apart.
 */
const QUIET_MS = 250;
/** The same once a second item has come: more are likely, and on a busy machine they come slowly. */
const QUIET_AMONG_MANY_MS = 750;
/** However many items keep coming, the first one waits no longer. */
const LONGEST_GATHERING_MS = 10_000;
const LARGEST_BULK = 1_000;

type Waiting = Pick<Clock, "now" | "sleep">;

/** How long a listing that is to be asked for again waits for others who need it as well. */
const AGAIN_MS = 250;

interface Listing {
  /** Which of all listings and demands it is. */
  readonly moment: number;
  readonly answer: Promise<unknown>;
}

/** Sends a bulk; one key always carries one type of item. */
type Sender = (items: readonly unknown[]) => Promise<void>;

/** The calls that all resources of one run share; one instance for a process, whose life is one run of the engine. */
export function createSharedCalls(clock: Waiting): SharedCalls {
  const lists = new Map<string, Listing>();
  /** Listings that are about to be asked for again. */
  const due = new Map<string, Promise<void>>();
  const bulks = new Map<string, Bulk>();
  const senders = new Map<string, Sender>();
  const queues = new Map<string, Promise<unknown>>();
  let moment = 0;

  const start = <T>(key: string, load: () => Promise<T>): Promise<T> => {
    moment += 1;
    const listing = { moment, answer: load() };
    lists.set(key, listing);
    listing.answer.catch(() => {
      if (lists.get(key) === listing) lists.delete(key);
    });
    return listing.answer;
  };

  const listSince = async <T>(key: string, load: () => Promise<T>, since: number): Promise<T> => {
    const known = lists.get(key);
    if (known === undefined) return start(key, load);
    if (known.moment > since) {
      // One key always carries one type of list: the handler that names it also loads it.
      return (known.answer as Promise<T>).catch((error: unknown) => retryAlone(key, load, since, error));
    }
    const again = due.get(key) ?? startSoon(key, load);
    due.set(key, again);
    await again;
    return listSince(key, load, since);
  };

  /** Others who need a younger listing share it. */
  const startSoon = async (key: string, load: () => Promise<unknown>): Promise<void> => {
    const outdated = lists.get(key);
    await clock.sleep(AGAIN_MS);
    due.delete(key);
    // What fails is told to those who wait for the listing itself.
    if (lists.get(key) === outdated) void start(key, load).catch(() => undefined);
  };

  /** The step that asked first may have run out of its own time, which says nothing about the others. */
  const retryAlone = async <T>(
    key: string,
    load: () => Promise<T>,
    since: number,
    error: unknown,
  ): Promise<T> => {
    const isItsOwn = [TimeoutError, RateLimitedError, CancelledError].some((kind) => error instanceof kind);
    if (isItsOwn) return listSince(key, load, since);
    throw error;
  };

  const inBulk = async <T>(
    key: string,
    item: T,
    send: (items: readonly T[]) => Promise<void>,
  ): Promise<void> => {
    // Sending is bound to the time of the step that asked: the latest one has the most left.
    const latest = send as Sender;
    senders.set(key, latest);
    const bulk = bulks.get(key) ?? createBulk((items) => (senders.get(key) ?? latest)(items), clock);
    bulks.set(key, bulk);
    await bulk.add(item);
  };

  const exclusively = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = queues.get(key) ?? Promise.resolve();
    const running = before.then(work, work);
    queues.set(
      key,
      running.catch(() => undefined),
    );
    return running;
  };

  const calls = (since: number): SharedCalls => ({
    list: (key, load) => listSince(key, load, since),
    fromNow: () => calls((moment += 1)),
    inBulk,
    exclusively,
    forget: (key) => void lists.delete(key),
    forgetAll: () => lists.clear(),
  });
  return calls(0);
}

interface Bulk {
  add(item: unknown): Promise<unknown>;
}

/** Items that arrive in short succession, or while one bulk is under way, leave together. */
function createBulk(send: Sender, clock: Waiting): Bulk {
  let underWay: Promise<unknown> = Promise.resolve();
  let lastArrivalMs = 0;
  let gathered = 0;
  const gather = async (): Promise<void> => {
    await underWay;
    const beganMs = clock.now();
    for (;;) {
      const now = clock.now();
      const quietMs = gathered > 1 ? QUIET_AMONG_MANY_MS : QUIET_MS;
      const quietInMs = lastArrivalMs + quietMs - now;
      const patienceMs = beganMs + LONGEST_GATHERING_MS - now;
      if (quietInMs <= 0 || patienceMs <= 0) return;
      await clock.sleep(Math.min(quietInMs, patienceMs));
    }
  };
  const loader = new DataLoader<unknown, true>(
    async (items) => {
      gathered = 0;
      const sending = sendNarrowing(items, send);
      underWay = sending.catch(() => undefined);
      return sending;
    },
    {
      cache: false,
      maxBatchSize: LARGEST_BULK,
      batchScheduleFn: (dispatch) => void gather().then(dispatch, dispatch),
    },
  );
  return {
    add: (item) => {
      lastArrivalMs = clock.now();
      gathered += 1;
      return loader.load(item);
    },
  };
}

/** Sends the items; when the service refuses them for their content, halves them until the bad ones stand alone. */
async function sendNarrowing<T>(
  items: readonly T[],
  send: (items: readonly T[]) => Promise<void>,
): Promise<(true | Error)[]> {
  try {
    await send(items);
    return items.map(() => true);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const isContentRefused = error instanceof ApiError && [400, 413, 422].includes(error.status);
    if (!isContentRefused || items.length === 1) return items.map(() => failure);
    const middle = Math.ceil(items.length / 2);
    const first = await sendNarrowing(items.slice(0, middle), send);
    return [...first, ...(await sendNarrowing(items.slice(middle), send))];
  }
}
