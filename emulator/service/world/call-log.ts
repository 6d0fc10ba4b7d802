import type { CallFilter, CallHistory, CallRecord } from "./call-record";
import { Refusal } from "../answers/refusal";

const DEFAULT_LOG_SIZE = 100_000;
/** No path of the API is longer; what callers make up would let the log grow all the same. */
const LONGEST_PATH = 1_000;

/** The newest calls made to the API. */
export class CallLog implements CallHistory {
  private records: CallRecord[] = [];
  private lastSequence = 0;
  /** Those that `clear` took away or that had to make room. */
  private forgotten = 0;
  /** How many had ended when it was cleared last. */
  private clearedAt = 0;
  private hasLost = false;

  constructor(readonly size = DEFAULT_LOG_SIZE) {
    if (!Number.isInteger(size) || size < 1) {
      throw new RangeError(`The log keeps a whole number of calls from 1 up: got ${size}`);
    }
  }

  nextSequence(): number {
    this.lastSequence += 1;
    return this.lastSequence;
  }

  add(record: CallRecord): void {
    this.records.push({ ...record, path: copyOf(record.path.slice(0, LONGEST_PATH)) });
    this.makeRoom();
  }

  list(filter: CallFilter = {}): readonly CallRecord[] {
    return this.records
      .filter(
        (call) =>
          (filter.operation === undefined || call.operation === filter.operation) &&
          (filter.status === undefined || call.status === filter.status) &&
          (filter.method === undefined || call.method === filter.method.toUpperCase()) &&
          (filter.pathContains === undefined || call.path.includes(filter.pathContains)) &&
          (filter.identity === undefined || call.identity === filter.identity) &&
          (filter.scopeKey === undefined || call.scopeKey === filter.scopeKey),
      )
      .sort((left, right) => left.sequence - right.sequence);
  }

  /** As `list`, for conclusions from what is missing: an error once calls had to make room. */
  listAll(filter: CallFilter = {}): readonly CallRecord[] {
    if (this.hasLost) {
      throw new Refusal(
        409,
        `The log of calls is not complete: it keeps the newest ${this.size}, and more were made since it was emptied. ` +
          "Empty it before what you look at (`clearCalls`, `DELETE /_control/calls`), " +
          "or start the emulator with a longer one (`callLogSize`, `--call-log`)",
      );
    }
    return this.list(filter);
  }

  /** How many calls have ended so far, forgotten ones among them. */
  get logged(): number {
    return this.forgotten + this.records.length;
  }

  /** How many of them were forgotten by `clear`. */
  get cleared(): number {
    return this.clearedAt;
  }

  /** Whether calls had to make room since it was cleared. */
  get isIncomplete(): boolean {
    return this.hasLost;
  }

  /** Those that ended after the first `count`, in the order of their ends. */
  after(count: number): readonly CallRecord[] {
    return this.records.slice(Math.max(0, count - this.forgotten));
  }

  /** Begins with calls of an earlier process. */
  restore(calls: readonly CallRecord[], isIncomplete: boolean): void {
    this.records = [...calls];
    this.lastSequence = calls.reduce((last, { sequence }) => Math.max(last, sequence), 0);
    this.hasLost = isIncomplete;
    this.makeRoom();
  }

  clear(): void {
    this.forgotten += this.records.length;
    this.clearedAt = this.forgotten;
    this.records = [];
    this.hasLost = false;
  }

  private makeRoom(): void {
    const surplus = this.records.length - this.size;
    if (surplus <= 0) return;
    this.records.splice(0, surplus);
    this.forgotten += surplus;
    this.hasLost = true;
  }
}

/** A part of a text keeps the whole in memory: here the URL with its query. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
