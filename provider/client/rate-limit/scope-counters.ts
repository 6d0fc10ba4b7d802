import type { StricterLimit } from "../../../spec/operation";
import { RateBudget } from "./rate-budget";
import { areApart, type Sighting, type Spending } from "./sighting";

/** What is known of the counter of one operation. */
interface Counter {
  readonly budget: RateBudget;
  /** Operations that surely count elsewhere. */
  readonly apart: Set<string>;
  /** Of the window that goes on, oldest first. */
  sightings: readonly Sighting[];
  /** Calls of the operation itself that have no answer yet, and when the last one of the others had its own. */
  openCalls: number;
  lastEndedMs: number;
}

/** A budget that must have calls left, beside those that are kept back. */
export interface Claim {
  readonly budget: RateBudget;
  readonly keptBack: number;
}

/**
 * The standard limit of one scope. It counts all operations of the scope together, unless the headers of two show that
 * they are counted apart: a call spends from the budget of its operation and of each other one that may share its
 * counter, and leaves when all of them have calls left. So no counter is overdrawn, whichever of them it counts.
 */
export class ScopeCounters {
  readonly #limit: StricterLimit;
  readonly #counters = new Map<string, Counter>();
  /** What the headers say does not agree with itself: nothing is concluded from it any more. */
  #isDistrusted = false;

  constructor(limit: StricterLimit) {
    this.#limit = limit;
  }

  /** The budgets that a call of the operation spends from. */
  budgetsOf(operation: string): RateBudget[] {
    const { apart } = this.#counters.get(operation) ?? {};
    const shared = [...this.#counters].filter(([name]) => apart?.has(name) !== true);
    return shared.map(([, { budget }]) => budget);
  }

  /**
   * What a call of the operation has to wait for. With its last call a parted operation would use more than the
   * specification allows to the scope, and shut out an operation of which nothing is known yet: that call is kept back.
   */
  claimsOf(operation: string, now: number): Claim[] {
    const own = this.#counters.get(operation);
    const isBeyondScope = [...this.#counters].some(
      ([name, { budget }]) => own?.apart.has(name) === true && budget.isInUse(now),
    );
    const isIdle = ({ openCalls, lastEndedMs }: Counter): boolean =>
      openCalls === 0 && lastEndedMs + this.#limit.windowMs <= now;
    // What another operation's calls have used, those know that were counted in this window.
    const claimed = [...this.#counters].filter(
      ([name, counter]) => name === operation || !(own?.apart.has(name) === true || isIdle(counter)),
    );
    return claimed.map(([name, { budget }]) => ({
      budget,
      keptBack: name === operation && isBeyondScope ? 1 : 0,
    }));
  }

  /** Spends one call, whose answer concerns the same budgets, but for those that turn out to be of other counters. */
  spend(spending: Spending, now: number): void {
    this.#counterOf(spending.operation).openCalls += 1;
    for (const budget of this.budgetsOf(spending.operation)) budget.start(now, spending);
  }

  /** The call has its answer, or never gets one. */
  ended(operation: string, now: number): void {
    const counter = this.#counterOf(operation);
    counter.openCalls -= 1;
    counter.lastEndedMs = now;
  }

  /** An answer has come, whose headers describe the counter of its operation. */
  saw(operation: string, seen: Sighting): void {
    const counter = this.#counters.get(operation);
    if (counter === undefined || this.#isDistrusted) return;
    const now = seen.receivedMs;
    for (const each of this.#counters.values()) {
      each.sightings = each.sightings.filter(({ end }) => end.after > now);
    }
    if (counter.sightings.some((earlier) => areApart(earlier, seen))) {
      this.distrust();
      return;
    }
    counter.sightings = [...counter.sightings, seen];
    for (const [name, other] of this.#counters) {
      if (name === operation || counter.apart.has(name)) continue;
      if (other.sightings.some((sighting) => areApart(sighting, seen))) this.#part(operation, name, now);
    }
  }

  /** Whether some operations were found to be counted apart. */
  isParted(): boolean {
    return [...this.#counters.values()].some(({ apart }) => apart.size > 0);
  }

  /** From now on all operations count together, as the specification says. */
  distrust(): void {
    this.#isDistrusted = true;
    for (const { apart } of this.#counters.values()) apart.clear();
  }

  #part(one: string, other: string, now: number): void {
    for (const [name, from] of [
      [one, other],
      [other, one],
    ] as const) {
      const { budget, apart, sightings } = this.#counterOf(name);
      apart.add(from);
      const newest = sightings.at(-1);
      if (newest !== undefined) budget.keepOnly((operation) => !apart.has(operation), newest, now);
    }
  }

  /** A new operation may share any counter; once some are apart, it may as well have one of its own, of which nothing is known. */
  #counterOf(operation: string): Counter {
    const known = this.#counters.get(operation);
    if (known !== undefined) return known;
    const [first] = this.#counters.values();
    const budget = first === undefined || this.isParted() ? new RateBudget(this.#limit) : first.budget.copy();
    const counter = { budget, apart: new Set<string>(), sightings: [], openCalls: 0, lastEndedMs: -Infinity };
    this.#counters.set(operation, counter);
    return counter;
  }
}
