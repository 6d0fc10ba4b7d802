import type { Clock } from "../clock";
import { RateBudget } from "./rate-budget";
import { LONGEST_WAIT_MS, type RateHeaders } from "./rate-headers";
import type { BudgetKey, RateScope } from "./rate-scope";
import { ScopeCounters, type Claim } from "./scope-counters";
import { sightingOf, type Spending } from "./sighting";
import { Stop } from "../transport/stop-signal";

/** Over how long those wake who wait for the same window: at one instant they would use it up before they could know. */
const WAKE_SPREAD_MS = 2_000;

/** Leave to send one request; exactly one of its endings must be called. */
export interface Admission {
  /** The request leaves now; until then it may have waited for a connection. */
  sending(): void;
  answered(headers: RateHeaders | undefined, isSuccess: boolean): void;
  /** 429 that tells no usable window: the whole scope waits. */
  refused(headers: RateHeaders | undefined, waitMs: number): void;
  /** No answer, outcome unknown. */
  lost(): void;
  /** Surely not sent. */
  unused(): void;
}

export interface AdmissionRequest {
  readonly scope: RateScope;
  /** Place in the queue: lower numbers first, so that a repeated call keeps its place. */
  readonly ticket: number;
  readonly signal: AbortSignal;
  readonly deadlineMs: number | undefined;
  /** Told once when calls are used up, with the time until there are new ones. */
  readonly onWait: (waitMs: number) => void;
}

interface Waiter extends AdmissionRequest {
  readonly stricter: readonly RateBudget[];
  readonly admit: () => void;
  readonly refuse: (stop: Stop) => void;
  isNotified: boolean;
}

interface Queue {
  readonly counters: ScopeCounters;
  readonly waiters: Waiter[];
  timer: AbortController | undefined;
}

/** Keeps calls back while their scope has none left, first come first served. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, RateBudget>();
  readonly #queues = new Map<string, Queue>();
  /** Numbers what is sent and what is answered, in the order in which it happens here. */
  #order = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the request may be sent; rejects with a `Stop` on abort and at the deadline. */
  admit(request: AdmissionRequest): Promise<Admission> {
    const { scope, signal } = request;
    const queue = this.#queueOf(scope);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const leave = (): void => {
        queue.waiters.splice(queue.waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
        this.#serve(queue);
      };
      const waiter: Waiter = {
        ...request,
        stricter: scope.stricter.map((key) => this.#budgetOf(key)),
        isNotified: false,
        admit: () => {
          signal.removeEventListener("abort", leave);
          resolve(this.#spend(waiter, queue));
        },
        refuse: (stop) => {
          signal.removeEventListener("abort", leave);
          reject(stop);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      const place = queue.waiters.findIndex(({ ticket }) => ticket > request.ticket);
      queue.waiters.splice(place < 0 ? queue.waiters.length : place, 0, waiter);
      this.#serve(queue);
    });
  }

  /** Admits whoever may go and wakes up when the next one may. */
  #serve(queue: Queue): void {
    queue.timer?.abort();
    queue.timer = undefined;
    const now = this.#clock.now();
    let wakeMs = Infinity;
    let index = 0;
    const spreadMs = this.#clock.random() * WAKE_SPREAD_MS;
    // The same for all waiters of one operation, until one of them goes.
    const known = new Map<string, readonly Claim[]>();
    for (let waiter = queue.waiters[0]; waiter !== undefined; waiter = queue.waiters[index]) {
      const leftMs = (waiter.deadlineMs ?? Infinity) - now;
      const { operation } = waiter.scope;
      const claims = known.get(operation) ?? claimsOf(waiter, queue, now);
      known.set(operation, claims);
      const waitMs = Math.max(0, ...claims.map(({ budget, keptBack }) => budget.waitMs(now, keptBack)));
      if (leftMs > 0 && waitMs > 0) {
        tell(waiter, claims, waitMs, now);
        const isContended = claims.some(({ budget }) => budget.isContended(now));
        const laterMs = isContended && waitMs + spreadMs < leftMs ? spreadMs : 0;
        wakeMs = Math.min(wakeMs, waitMs + laterMs, leftMs);
        index += 1;
        continue;
      }
      queue.waiters.splice(index, 1);
      known.clear();
      if (leftMs > 0) waiter.admit();
      else waiter.refuse(new Stop(isExhausted(claims, now) ? "rate limit" : "deadline"));
    }
    if (Number.isFinite(wakeMs)) this.#wakeAfter(queue, wakeMs);
  }

  #wakeAfter(queue: Queue, waitMs: number): void {
    const timer = new AbortController();
    queue.timer = timer;
    this.#clock.sleep(waitMs, timer.signal).then(
      () => {
        if (queue.timer === timer) this.#serve(queue);
      },
      // Aborted because the queue was served earlier, which set its own timer.
      () => undefined,
    );
  }

  #spend({ scope, stricter }: Waiter, queue: Queue): Admission {
    const { operation } = scope;
    const { counters } = queue;
    const now = (): number => this.#clock.now();
    const nextOrder = (): number => (this.#order += 1);
    const spending: Spending = { operation, atMs: now(), sentOrder: nextOrder(), endedOrder: Infinity };
    counters.spend(spending, now());
    for (const budget of stricter) budget.start(now(), spending);
    const end = (how: (budget: RateBudget) => void): void => {
      for (const budget of [...counters.budgetsOf(operation), ...stricter]) how(budget);
      this.#serve(queue);
    };
    const endOnce = (how: () => void): void => {
      if (spending.endedOrder !== Infinity) return;
      spending.endedOrder = nextOrder();
      counters.ended(operation, now());
      how();
    };
    const answer = (headers: RateHeaders | undefined): void => {
      const described = describedBy(headers, stricter, scope);
      const isDescribed = (budget: RateBudget): boolean =>
        described === undefined ? !stricter.includes(budget) : budget === described;
      end((budget) => budget.answered(spending, isDescribed(budget) ? headers : undefined, now()));
    };
    return {
      sending: () => {
        spending.atMs = now();
        spending.sentOrder = nextOrder();
      },
      answered: (headers, isSuccess) =>
        endOnce(() => {
          // Of what was refused it is not sure that it was counted.
          const isTelling = isSuccess && headers !== undefined && headers.resetMs <= LONGEST_WAIT_MS;
          if (isTelling && stricter.length === 0)
            counters.saw(operation, sightingOf(spending, headers, now()));
          answer(headers);
        }),
      refused: (headers, waitMs) =>
        endOnce(() => {
          // With calls left in every budget, it may be the parting that was wrong.
          if (counters.isParted()) counters.distrust();
          const refusing = refusedBy(headers, stricter, scope);
          const blocked = refusing === undefined ? counters.budgetsOf(operation) : [refusing];
          for (const budget of blocked) budget.blockUntil(now() + waitMs);
          answer(headers);
        }),
      lost: () => endOnce(() => end((budget) => budget.lost(spending, now()))),
      unused: () => endOnce(() => end((budget) => budget.returned(spending, now()))),
    };
  }

  #budgetOf({ key, limit }: BudgetKey): RateBudget {
    const known = this.#budgets.get(key);
    if (known !== undefined) return known;
    const budget = new RateBudget(limit);
    this.#budgets.set(key, budget);
    return budget;
  }

  #queueOf({ standard }: RateScope): Queue {
    const known = this.#queues.get(standard.key);
    if (known !== undefined) return known;
    const queue: Queue = { counters: new ScopeCounters(standard.limit), waiters: [], timer: undefined };
    this.#queues.set(standard.key, queue);
    return queue;
  }
}

function claimsOf({ scope, stricter }: Waiter, { counters }: Queue, now: number): Claim[] {
  return [...counters.claimsOf(scope.operation, now), ...stricter.map((budget) => ({ budget, keptBack: 0 }))];
}

function tell(waiter: Waiter, claims: readonly Claim[], waitMs: number, now: number): void {
  if (waiter.isNotified || !Number.isFinite(waitMs)) return;
  if (!isExhausted(claims, now)) return;
  waiter.isNotified = true;
  waiter.onWait(waitMs);
}

function isExhausted(claims: readonly Claim[], now: number): boolean {
  return claims.some(({ budget, keptBack }) => budget.isExhausted(now, keptBack));
}

/**
 * On an endpoint with stricter limits the headers describe one of those, unless their limit says otherwise; undefined
 * where they describe the scope's own.
 */
function describedBy(
  headers: RateHeaders | undefined,
  stricter: readonly RateBudget[],
  { standard }: RateScope,
): RateBudget | undefined {
  const byLimit = stricter.find(({ limit }) => limit === headers?.limit);
  return byLimit ?? (headers?.limit === standard.limit.limit ? undefined : stricter[0]);
}

/** The budget that has to wait: where the described one has calls left, the standard one refused. */
function refusedBy(
  headers: RateHeaders | undefined,
  stricter: readonly RateBudget[],
  scope: RateScope,
): RateBudget | undefined {
  const hasCallsLeft = headers !== undefined && headers.remaining > 0;
  return hasCallsLeft ? undefined : describedBy(headers, stricter, scope);
}
