import DataLoader from "dataloader";
import { CancelledError, RateLimitedError, TimeoutError } from "../client/errors/errors";
import type { Clock } from "../client/clock";
import type { BulkItem, SharedCalls } from "../define/shared-calls";
import { BatchWindow } from "./batch-window";
import { createBulk, type Bulk } from "./bulk";
import { JointAnswers } from "./joint-answers";
import { StepPace } from "./step-pace";

type ListLoader = () => Promise<unknown>;

interface SharedListing {
  /** Its place in the order of all listings and of all calls of `fromNow`. */
  readonly moment: number;
  readonly load: ListLoader;
  readonly answer: Promise<unknown>;
}

/** Those who wait for the next listing of a collection. */
interface ListingBatch {
  readonly window: BatchWindow;
  readonly loader: DataLoader<ListLoader, SharedListing>;
}

/** A listing that waits for its turn, and who waits for it. */
interface UpcomingListing {
  readonly listing: Promise<SharedListing>;
  readonly onBegin: (() => void)[];
  /** The listing begins after it, and after the works that are in line at its end. */
  readonly window: BatchWindow;
}

/** The calls that all resources of one run share; one instance for a process, whose life is one run of the engine. */
export interface RunCalls extends SharedCalls {
  /** The same calls, whose every list is asked for no earlier than now: others may have changed what was listed before. */
  fromNow(): SharedCalls;
  /** To be told of every step that the engine begins. */
  readonly pace: StepPace;
}

/** Work that excludes other work, by its key: the end of the last in line. */
export type WorkQueues = Map<string, Promise<unknown>>;

/** `queues`: those of the process, where it has several runs. */
export function createSharedCalls(
  clock: Pick<Clock, "now" | "sleep">,
  queues: WorkQueues = new Map(),
): RunCalls {
  const pace = new StepPace(clock);
  const listings = new Map<string, SharedListing>();
  const batches = new Map<string, ListingBatch>();
  const bulks = new Map<string, Bulk>();
  const upcoming = new Map<string, UpcomingListing>();
  const windowsInTurn = new Map<string, BatchWindow>();
  const joint = new JointAnswers(clock, pace);
  const underWay = new Set<string>();
  const refusedReads = new Set<string>();
  const absences: SharedCalls["absences"] = new Map();
  const writtenSettings: SharedCalls["writtenSettings"] = new Map();
  let moment = 0;

  const start = (key: string, load: ListLoader): SharedListing => {
    moment += 1;
    const listing = { moment, load, answer: load() };
    listings.set(key, listing);
    listing.answer.catch(() => {
      if (listings.get(key) === listing) listings.delete(key);
    });
    return listing;
  };

  /**
   * One listing for all that ask within a window, or while the one before it has no answer yet; it begins after each of them
   * has asked.
   */
  const startWithOthers = (key: string, load: ListLoader): Promise<SharedListing> => {
    const batch = batches.get(key) ?? createBatch(key);
    batches.set(key, batch);
    batch.window.extend();
    return batch.loader.load(load);
  };

  const createBatch = (key: string): ListingBatch => {
    const window = new BatchWindow(clock, pace);
    let unanswered = 0;
    const startFirst = ([first, ...others]: readonly ListLoader[]): Promise<SharedListing[]> => {
      if (first === undefined) return Promise.resolve([]);
      const listing = start(key, first);
      unanswered += 1;
      const onAnswer = (): void => void (unanswered -= 1);
      listing.answer.then(onAnswer, onAnswer);
      return Promise.resolve([listing, ...others.map(() => listing)]);
    };
    const batchScheduleFn = (dispatch: () => void): void =>
      void window
        .end(() => unanswered > 0)
        .then(() => {
          window.release();
          dispatch();
        });
    return { window, loader: new DataLoader(startFirst, { cache: false, batchScheduleFn }) };
  };

  const findNewerListing = (since: number, key: string): SharedListing | undefined => {
    const known = listings.get(key);
    return known !== undefined && known.moment > since ? known : undefined;
  };

  /** A list that was asked for after the moment `since`; at 0 any list of this run will do, and nobody waits for others. */
  // One key always carries one type of list: the handler that names it also loads it.
  const listSince = async <T>(key: string, load: () => Promise<T>, since: number): Promise<T> => {
    let isWithOthers = since > 0;
    for (;;) {
      const young = findNewerListing(since, key);
      const listing = young ?? (isWithOthers ? await startWithOthers(key, load) : start(key, load));
      try {
        return (await listing.answer) as T;
      } catch (error) {
        // The step whose call it was may have run out of its own time, which says nothing about the others.
        if (listing.load === load || !isOfOneStep(error)) throw error;
        isWithOthers = false;
      }
    }
  };

  const addToBulk = async <T>(key: string, item: BulkItem<T>, hasWaited: boolean): Promise<void> => {
    const bulk = bulks.get(key) ?? createBulk(clock, pace);
    bulks.set(key, bulk);
    // One key always carries one type of item, so each sender can send all of them.
    await bulk.add(item as BulkItem<unknown>, hasWaited);
  };

  const runExclusively = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = queues.get(key) ?? Promise.resolve();
    const running = before.then(work, work);
    const last = running
      .catch(() => undefined)
      .then(() => {
        if (queues.get(key) === last) queues.delete(key);
      });
    queues.set(key, last);
    return running;
  };

  const scheduleListing = (queue: string, key: string, load: ListLoader): UpcomingListing => {
    const { promise, resolve } = Promise.withResolvers<SharedListing>();
    const window = windowsInTurn.get(key) ?? new BatchWindow(clock, pace);
    windowsInTurn.set(key, window);
    const next: UpcomingListing = { listing: promise, onBegin: [], window };
    upcoming.set(key, next);
    const awaitOthers = async (): Promise<void> => {
      await window.end();
      window.release();
    };
    const list = async (): Promise<void> => {
      upcoming.delete(key);
      for (const onBegin of next.onBegin) onBegin();
      const listing = start(key, load);
      resolve(listing);
      await listing.answer.catch(() => undefined);
    };
    // Whose work ends within the window asks as well; the queue does not wait meanwhile.
    void awaitOthers().then(() => {
      const isFirst = !queues.has(queue);
      return runExclusively(queue, async () => {
        // Whose work has just ended is about to ask.
        if (!isFirst) {
          window.extend();
          await awaitOthers();
        }
        await list();
      });
    });
    return next;
  };

  const listInTurn: SharedCalls["listInTurn"] = async <T>(
    queue: string,
    key: string,
    load: () => Promise<T>,
    onBegin: () => void,
  ) => {
    for (;;) {
      const next = upcoming.get(key) ?? scheduleListing(queue, key, load);
      next.onBegin.push(onBegin);
      next.window.extend();
      const listing = await next.listing;
      try {
        return (await listing.answer) as T;
      } catch (error) {
        if (listing.load === load || !isOfOneStep(error)) throw error;
      }
    }
  };

  const callsSince = (since: number): SharedCalls => ({
    list: (key, load) => listSince(key, load, since),
    // With a `since`, the step has waited for its list together with others: its bulk need not wait once more.
    inBulk: (key, item) => addToBulk(key, item, since > 0),
    isForSeveral: (key, kind) => joint.isForSeveral(key, kind),
    underWay,
    refusedReads,
    absences,
    writtenSettings,
    exclusively: runExclusively,
    listInTurn,
    forget: (key) => void listings.delete(key),
    forgetAll: () => listings.clear(),
  });
  return { ...callsSince(0), pace, fromNow: () => callsSince((moment += 1)) };
}

/** Whether the error says something about the step that made the call, and nothing about its answer. */
function isOfOneStep(error: unknown): boolean {
  return [TimeoutError, RateLimitedError, CancelledError].some((kind) => error instanceof kind);
}
