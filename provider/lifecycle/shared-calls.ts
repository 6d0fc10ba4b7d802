import DataLoader from "dataloader";
import { ApiError, CancelledError, TimeoutError } from "../client/errors";
import type { Clock } from "../client/clock";
import type { SharedCalls } from "../define/shared-calls";

/** How long the first item of a bulk waits for company: about the time in which the engine starts a wave of steps. */
const GATHERING_MS = 30;
const LARGEST_BULK = 1_000;

/** Sends a bulk; one key always carries one type of item. */
type Sender = (items: readonly unknown[]) => Promise<void>;

/** The calls that all resources of one run share; one instance for a process, whose life is one run of the engine. */
export function createSharedCalls(clock: Pick<Clock, "sleep">): SharedCalls {
  const lists = new Map<string, Promise<unknown>>();
  const bulks = new Map<string, DataLoader<unknown, true>>();
  const senders = new Map<string, Sender>();
  const queues = new Map<string, Promise<unknown>>();

  const list = async <T>(key: string, load: () => Promise<T>): Promise<T> => {
    const started = lists.get(key);
    // One key always carries one type of list: the handler that names it also loads it.
    if (started !== undefined)
      return (started as Promise<T>).catch((error: unknown) => retryAlone(key, load, error));
    const loading = load();
    lists.set(key, loading);
    loading.catch(() => {
      if (lists.get(key) === loading) lists.delete(key);
    });
    return loading;
  };

  /** The step that asked first may have run out of its own time, which says nothing about the others. */
  const retryAlone = async <T>(key: string, load: () => Promise<T>, error: unknown): Promise<T> => {
    if (error instanceof TimeoutError || error instanceof CancelledError) return list(key, load);
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
    await bulk.load(item);
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

  return { list, inBulk, exclusively, forget: (key) => void lists.delete(key) };
}

/** Items that arrive while one bulk is under way leave together in the next. */
function createBulk(send: Sender, clock: Pick<Clock, "sleep">): DataLoader<unknown, true> {
  let underWay: Promise<unknown> = Promise.resolve();
  return new DataLoader<unknown, true>(
    async (items) => {
      const sending = sendNarrowing(items, send);
      underWay = sending.catch(() => undefined);
      return sending;
    },
    {
      cache: false,
      maxBatchSize: LARGEST_BULK,
      batchScheduleFn: (dispatch) => {
        void underWay.then(() => clock.sleep(GATHERING_MS)).then(dispatch, dispatch);
      },
    },
  );
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
