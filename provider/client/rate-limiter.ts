import type { Clock } from "./clock";
import { RateBudget, type Spending } from "./rate-budget";
import type { RateHeaders } from "./rate-headers";
import type { BudgetKey, RateScope } from "./rate-scope";
import { Stop } from "./stop-signal";

/** Over how long those wake who wait for the same window: at one instant they would use it up before they could know. */
const WAKE_SPREAD_MS = 2_000;

/** Leave to send one request; exactly one of its endings must be called. */
export interface Admission {
  /** The request leaves now; until then it may have waited for a connection. */
  sending(): void;
  answered(headers: RateHeaders | undefined): void;
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
  readonly budgets: readonly RateBudget[];
  readonly admit: () => void;
  readonly refuse: (stop: Stop) => void;
  hasBeenTold: boolean;
}

interface Queue {
  readonly waiters: Waiter[];
  timer: AbortController | undefined;
}

/** Keeps calls back while their scope has none left, first come first served. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, RateBudget>();
  readonly #queues = new Map<string, Queue>();

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
        budgets: [scope.standard, ...scope.stricter].map((key) => this.#budgetOf(key)),
        hasBeenTold: false,
        admit: () => {
          signal.removeEventListener("abort", leave);
          resolve(this.#spend(waiter.budgets, queue));
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
    for (let waiter = queue.waiters[0]; waiter !== undefined; waiter = queue.waiters[index]) {
      const leftMs = (waiter.deadlineMs ?? Infinity) - now;
      const waitMs = Math.max(...waiter.budgets.map((budget) => budget.waitMs(now)));
      if (leftMs > 0 && waitMs > 0) {
        this.#tell(waiter, waitMs, now);
        const isContended = waiter.budgets.some((budget) => budget.isContended(now));
        const laterMs = isContended && waitMs + spreadMs < leftMs ? spreadMs : 0;
        wakeMs = Math.min(wakeMs, waitMs + laterMs, leftMs);
        index += 1;
        continue;
      }
      queue.waiters.splice(index, 1);
      if (leftMs > 0) waiter.admit();
      else waiter.refuse(new Stop(isExhausted(waiter, now) ? "rate limit" : "deadline"));
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

  #tell(waiter: Waiter, waitMs: number, now: number): void {
    if (waiter.hasBeenTold || !Number.isFinite(waitMs)) return;
    if (!isExhausted(waiter, now)) return;
    waiter.hasBeenTold = true;
    waiter.onWait(waitMs);
  }

  #spend(budgets: readonly RateBudget[], queue: Queue): Admission {
    const now = (): number => this.#clock.now();
    const spendings = budgets.map((budget) => ({ budget, spending: budget.start(now()) }));
    let isEnded = false;
    const end = (how: (budget: RateBudget, spending: Spending) => void): void => {
      if (isEnded) return;
      isEnded = true;
      for (const { budget, spending } of spendings) how(budget, spending);
      this.#serve(queue);
    };
    const answer = (headers: RateHeaders | undefined): void => {
      const described = describedBy(headers, budgets);
      end((budget, spending) => budget.answered(spending, budget === described ? headers : undefined, now()));
    };
    return {
      sending: () => {
        for (const { spending } of spendings) spending.atMs = now();
      },
      answered: answer,
      refused: (headers, waitMs) => {
        refusing(headers, budgets)?.blockUntil(now() + waitMs);
        answer(headers);
      },
      lost: () => end((budget, spending) => budget.lost(spending, now())),
      unused: () => end((budget, spending) => budget.returned(spending, now())),
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
    const queue: Queue = { waiters: [], timer: undefined };
    this.#queues.set(standard.key, queue);
    return queue;
  }
}

function isExhausted({ budgets }: Waiter, now: number): boolean {
  return budgets.some((budget) => budget.isExhausted(now));
}

/** On an endpoint with stricter limits the headers describe one of those, unless their limit says otherwise. */
function describedBy(
  headers: RateHeaders | undefined,
  budgets: readonly RateBudget[],
): RateBudget | undefined {
  return budgets.find(({ limit }) => limit === headers?.limit) ?? budgets[1] ?? budgets[0];
}

/** The budget that has to wait: where the described one has calls left, the standard one refused. */
function refusing(headers: RateHeaders | undefined, budgets: readonly RateBudget[]): RateBudget | undefined {
  const hasCallsLeft = headers !== undefined && headers.remaining > 0;
  return hasCallsLeft ? budgets[0] : describedBy(headers, budgets);
}
