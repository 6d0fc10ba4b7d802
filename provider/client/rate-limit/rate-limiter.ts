import type { Clock } from "../clock";
import type { RateHeaders } from "./rate-headers";
import type { KeyedLimit, RateScope } from "./rate-scope";
import { RateWindow, type PermittedCall } from "./rate-window";
import { StopError } from "../transport/stop-signal";

/** Over how long those wake who wait for the same window: at one instant they would use it up before they could know. */
const WAKE_SPREAD_MS = 2_000;

/** Allows one request; exactly one of its endings must be called. */
export interface RequestPermit {
  /** The request leaves now; until then it may have waited for a connection. */
  sending(): void;
  answered(headers: RateHeaders | undefined): void;
  /** 429: the window that refused stays closed for `waitMs`. */
  refused(headers: RateHeaders | undefined, waitMs: number): void;
  /** No answer, outcome unknown. */
  lost(): void;
  /** Surely not sent. */
  unused(): void;
}

export interface PermitRequest {
  readonly scope: RateScope;
  /** Place in the queue: lower numbers first, so that a repeated call keeps its place. */
  readonly ticket: number;
  readonly signal: AbortSignal;
  readonly deadlineMs: number | undefined;
  /** Called once when calls are used up, with the time until there are new ones. */
  readonly onWait: (waitMs: number) => void;
}

interface PermitWaiter extends PermitRequest {
  readonly stricter: readonly RateWindow[];
  readonly grant: () => void;
  readonly refuse: (stop: StopError) => void;
  isNotified: boolean;
}

interface PermitQueue {
  readonly window: RateWindow;
  readonly waiters: PermitWaiter[];
  timer: AbortController | undefined;
}

/** Keeps calls back while their scope has none left, first come first served. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #stricter = new Map<string, RateWindow>();
  readonly #queues = new Map<string, PermitQueue>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the request may be sent; rejects with a `StopError` on abort and at the deadline. */
  acquire(request: PermitRequest): Promise<RequestPermit> {
    const { scope, signal } = request;
    const queue = this.#queueOf(scope);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const leave = (): void => {
        queue.waiters.splice(queue.waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
        this.#serve(queue);
      };
      const waiter: PermitWaiter = {
        ...request,
        stricter: scope.stricter.map((key) => this.#stricterOf(key)),
        isNotified: false,
        grant: () => {
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

  /** Lets go whoever may and wakes up when the next one may. */
  #serve(queue: PermitQueue): void {
    queue.timer?.abort();
    queue.timer = undefined;
    const now = this.#clock.now();
    let wakeMs = Infinity;
    const spreadMs = this.#clock.random() * WAKE_SPREAD_MS;
    let index = 0;
    for (let waiter = queue.waiters[0]; waiter !== undefined; waiter = queue.waiters[index]) {
      const leftMs = (waiter.deadlineMs ?? Infinity) - now;
      const { operation } = waiter.scope;
      const windows = [queue.window, ...waiter.stricter];
      const waitMs = Math.max(...windows.map((window) => window.waitMs(operation, now)));
      const isExhausted = windows.some((window) => window.isExhausted(operation, now));
      if (leftMs > 0 && waitMs > 0) {
        if (isExhausted) notify(waiter, waitMs);
        const isShared = windows.some((window) => window.isShared(now));
        const laterMs = isShared && waitMs + spreadMs < leftMs ? spreadMs : 0;
        wakeMs = Math.min(wakeMs, waitMs + laterMs, leftMs);
        index += 1;
        continue;
      }
      queue.waiters.splice(index, 1);
      if (leftMs > 0) waiter.grant();
      else waiter.refuse(new StopError(isExhausted ? "rate limit" : "deadline"));
    }
    if (Number.isFinite(wakeMs)) this.#wakeAfter(queue, wakeMs);
  }

  #wakeAfter(queue: PermitQueue, waitMs: number): void {
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

  #spend({ scope, stricter }: PermitWaiter, queue: PermitQueue): RequestPermit {
    const windows = [queue.window, ...stricter];
    const now = (): number => this.#clock.now();
    const call: PermittedCall = { operation: scope.operation, atMs: now() };
    let hasEnded = false;
    for (const window of windows) window.start(call, now());
    const end = (how: (window: RateWindow) => void): void => {
      if (hasEnded) return;
      hasEnded = true;
      windows.forEach(how);
      this.#serve(queue);
    };
    const answered = (window: RateWindow, headers: RateHeaders | undefined): void => {
      const isDescribed = window === (findDescribedWindow(headers, stricter, scope) ?? queue.window);
      window.recordAnswer(call, isDescribed ? headers : undefined, now());
    };
    return {
      sending: () => void (call.atMs = now()),
      answered: (headers) => end((window) => answered(window, headers)),
      refused: (headers, waitMs) =>
        end((window) => {
          const isRefusing = window === (findRefusingWindow(headers, stricter, scope) ?? queue.window);
          if (isRefusing) window.blockUntil(now() + waitMs);
          answered(window, headers);
        }),
      lost: () => end((window) => window.recordLoss(call, now())),
      unused: () => end((window) => window.returnCall(call, now())),
    };
  }

  #stricterOf({ key, limit }: KeyedLimit): RateWindow {
    const known = this.#stricter.get(key);
    if (known !== undefined) return known;
    const window = new RateWindow(limit);
    this.#stricter.set(key, window);
    return window;
  }

  #queueOf({ standard }: RateScope): PermitQueue {
    const known = this.#queues.get(standard.key);
    if (known !== undefined) return known;
    const queue: PermitQueue = { window: new RateWindow(standard.limit), waiters: [], timer: undefined };
    this.#queues.set(standard.key, queue);
    return queue;
  }
}

function notify(waiter: PermitWaiter, waitMs: number): void {
  if (waiter.isNotified || !Number.isFinite(waitMs)) return;
  waiter.isNotified = true;
  waiter.onWait(waitMs);
}

/**
 * On an endpoint with stricter limits the headers describe one of those, unless their limit says otherwise; undefined
 * where they describe the scope's own.
 */
function findDescribedWindow(
  headers: RateHeaders | undefined,
  stricter: readonly RateWindow[],
  { standard }: RateScope,
): RateWindow | undefined {
  const byLimit = stricter.find(({ limit }) => limit === headers?.limit);
  return byLimit ?? (headers?.limit === standard.limit.limit ? undefined : stricter[0]);
}

/** The window that has to wait: where the described one has calls left, the standard one refused. */
function findRefusingWindow(
  headers: RateHeaders | undefined,
  stricter: readonly RateWindow[],
  scope: RateScope,
): RateWindow | undefined {
  const hasCallsLeft = headers !== undefined && headers.remaining > 0;
  return hasCallsLeft ? undefined : findDescribedWindow(headers, stricter, scope);
}
