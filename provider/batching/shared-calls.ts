import { CancelledError, RateLimitedError, TimeoutError } from "../client/errors/errors";
import type { Clock } from "../client/clock";
import type { BulkItem, SharedCalls } from "../define/shared-calls";
import { createBulk, type Bulk } from "./bulk";
import { Gathering, Wave } from "./gathering";

interface Listing {
  /** Which of all listings and demands it is. */
  readonly moment: number;
  readonly answer: Promise<unknown>;
}

/** A listing that is asked for as soon as all who need it have come. */
interface Due {
  readonly gathering: Gathering;
  readonly listing: Promise<Listing>;
}

/** The calls that all resources of one run share; one instance for a process, whose life is one run of the engine. */
export interface RunCalls extends SharedCalls {
  /** The same calls, whose every list is asked for no earlier than now: others may have changed what was listed before. */
  fromNow(): SharedCalls;
  /** Runs a step of the engine; the calls of the steps that are under way together are shared. */
  during<T>(step: () => Promise<T>): Promise<T>;
}

export function createSharedCalls(clock: Pick<Clock, "now" | "sleep">): RunCalls {
  const wave = new Wave(clock);
  const lists = new Map<string, Listing>();
  const due = new Map<string, Due>();
  const bulks = new Map<string, Bulk>();
  const queues = new Map<string, Promise<unknown>>();
  const underWay = new Set<string>();
  let moment = 0;

  const start = (key: string, load: () => Promise<unknown>): Listing => {
    moment += 1;
    const listing = { moment, answer: load() };
    lists.set(key, listing);
    listing.answer.catch(() => {
      if (lists.get(key) === listing) lists.delete(key);
    });
    return listing;
  };

  const youngerThan = (since: number, key: string): Listing | undefined => {
    const known = lists.get(key);
    return known !== undefined && known.moment > since ? known : undefined;
  };

  // One key always carries one type of list: the handler that names it also loads it.
  const listSince = async <T>(key: string, load: () => Promise<T>, since: number): Promise<T> => {
    const young = youngerThan(since, key);
    if (young !== undefined) return orAlone(young.answer, key, load, since);
    if (since === 0) return start(key, load).answer as Promise<T>;
    const soon = due.get(key);
    if (soon === undefined) return (await startSoon(key, load)).answer as Promise<T>;
    soon.gathering.arrive();
    return orAlone((await soon.listing).answer, key, load, since);
  };

  const startSoon = (key: string, load: () => Promise<unknown>): Promise<Listing> => {
    const gathering = new Gathering(clock, wave);
    gathering.arrive();
    const listing = gathering
      .untilQuiet()
      .finally(() => due.delete(key))
      .then(() => start(key, load));
    due.set(key, { gathering, listing });
    return listing;
  };

  /** The step that asked first may have run out of its own time, which says nothing about the others. */
  const orAlone = async <T>(
    answer: Promise<unknown>,
    key: string,
    load: () => Promise<T>,
    since: number,
  ): Promise<T> => {
    try {
      return (await answer) as T;
    } catch (error) {
      const isItsOwn = [TimeoutError, RateLimitedError, CancelledError].some((kind) => error instanceof kind);
      if (!isItsOwn) throw error;
    }
    const young = youngerThan(since, key);
    if (young !== undefined) return orAlone(young.answer, key, load, since);
    return start(key, load).answer as Promise<T>;
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
