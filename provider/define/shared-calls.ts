import type { WriteListener } from "../client/call-subject";

/** What ends the wait of a step, and who is told of its writes. */
export interface StepLimits {
  /** Clock time at which it must have ended. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Called when a write leaves, and when the service has answered it. */
  readonly onWrite?: WriteListener | undefined;
  /** Whether a write of an unclear outcome is left to whoever sends it. */
  readonly sendsOnce?: boolean | undefined;
  /** Whether a call that fails is not repeated, nor waited for: there is another way. */
  readonly isTriedOnce?: boolean | undefined;
}

/** One of the things that leave in bulk. */
export interface BulkItem<T> {
  readonly item: T;
  readonly limits: StepLimits;
  /** Sends several, within the limits that they have in common: `ctx.within(limits)`. */
  readonly send: (items: readonly T[], limits: StepLimits) => Promise<void>;
}

/** A setting as it was before a write, and as that left it. */
export interface WrittenSetting {
  readonly before: unknown;
  readonly wanted: unknown;
  /** The answer to the write shows another value than was sent: the service has ignored it, whatever others do. */
  readonly isIgnored: boolean;
}

/** Calls that many resources of one run have in common (design: reads of one collection are one call, writes leave in bulk). */
export interface SharedCalls {
  /**
   * The answer to a read of the whole collection `key`, asked for once in a run and again after `forget`. `load` runs
   * without the deadline of any one resource.
   */
  list<T>(key: string, load: () => Promise<T>): Promise<T>;
  /**
   * Whether one answer `key`, which serves several kinds of steps, is worth its call: a step of another `kind` has asked in this
   * run, or asks before the window of the first one ends.
   */
  isForSeveral(key: string, kind: string): Promise<boolean>;
  /** Reads that this run makes no more, as the service has refused them. */
  readonly refusedReads: Set<string>;
  /** Makes the next `list` of `key` ask the service again; to be called after every write to the collection. */
  forget(key: string): void;
  /** The same for every collection. */
  forgetAll(): void;
  /**
   * Sends an item together with the other items of `key` that come within a window, or while earlier ones are under way.
   * Each waits within its own limits; an answer that refuses the bulk for one bad item is narrowed down to that item.
   */
  inBulk<T>(key: string, item: BulkItem<T>): Promise<void>;
  /** What this run is in the middle of, as restoring a project, for others that would be in its way. */
  readonly underWay: Set<string>;
  /** Of projects and branches that answered 404: whether this run has proven that they are gone, by reference. */
  readonly absences: Map<string, "gone" | "unproven">;
  /** What this run has written of a configuration and not looked at since: the settings by name, by its type and project. */
  readonly writtenSettings: Map<string, Map<string, WrittenSetting>>;
  /** Runs `work` while no other work of `key` runs in this process. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * A listing of `key` that begins after all exclusive work of `queue` which is waiting now, and that all share who ask before it
   * begins. `onBegin` is called when it does.
   */
  listInTurn<T>(queue: string, key: string, load: () => Promise<T>, onBegin: () => void): Promise<T>;
}
