import { CancelledError, RateLimitedError, TimeoutError } from "../client/errors";
import type { Clock } from "../client/clock";
import type { BulkItem, SharedCalls } from "../define/shared-calls";
import { createBulk, type Bulk } from "./bulk";
import { Gathering, Wave } from "./gathering";

/** A listing that is about to be asked for again. */
interface Due {
  readonly gathering: Gathering;
  readonly started: Promise<void>;
}

interface Listing {
  /** Which of all listings and demands it is. */
  readonly moment: number;
  readonly answer: Promise<unknown>;
}

/** The calls that all resources of one run share; one instance for a process, whose life is one run of the engine. */
export interface RunCalls extends SharedCalls {
  /** The same calls, whose every list is asked for no earlier than now: others may have changed what was listed before. */
  fromNow(): SharedCalls;
  /** Runs a step of the engine; the calls of the steps that are under way together are shared. */
  during<T>(step: () => Promise<T>): Promise<T>;
}

export function createSharedCalls(clock: Pick<Clock, "now" | "sleep">): RunCalls {
  const wave = new Wave();
  const lists = new Map<string, Listing>();
  /** Listings that are about to be asked for again. */
  const due = new Map<string, Due>();
  const bulks = new Map<string, Bulk>();
  const queues = new Map<string, Promise<unknown>>();
  const underWay = new Set<string>();
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
    if (known === undefined && since === 0) return start(key, load);
    if (known !== undefined && known.moment > since) {
      // One key always carries one type of list: the handler that names it also loads it.
      return (known.answer as Promise<T>).catch((error: unknown) => retryAlone(key, load, since, error));
    }
    const again = due.get(key) ?? startSoon(key, load);
    again.gathering.arrive();
    await again.started;
    return listSince(key, load, since);
  };

  /** Others who need a younger listing share it. */
  const startSoon = (key: string, load: () => Promise<unknown>): Due => {
    const outdated = lists.get(key);
    const gathering = new Gathering(clock, wave);
    const started = Promise.resolve()
      .then(() => gathering.untilQuiet())
      .then(() => {
        due.delete(key);
        // What fails is told to those who wait for the listing itself.
        if (lists.get(key) === outdated) void start(key, load).catch(() => undefined);
      });
    const again = { gathering, started };
    due.set(key, again);
    return again;
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

  const inBulk = async <T>(key: string, item: BulkItem<T>, wasGathered: boolean): Promise<void> => {
    const bulk = bulks.get(key) ?? createBulk(clock, wave);
    bulks.set(key, bulk);
    // One key always carries one type of item, so each sender can send all of them.
    await bulk.add(item as BulkItem<unknown>, wasGathered);
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

  const callsSince = (since: number): SharedCalls => ({
    list: (key, load) => listSince(key, load, since),
    // What asks for young lists has waited for one with the others like it.
    inBulk: (key, item) => inBulk(key, item, since > 0),
    underWay,
    exclusively,
    forget: (key) => void lists.delete(key),
    forgetAll: () => lists.clear(),
  });
  return {
    ...callsSince(0),
    fromNow: () => callsSince((moment += 1)),
    during: (step) => wave.during(step),
  };
}
