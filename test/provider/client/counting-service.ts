import type { Reply, Responder } from "./http-service";
import type { VirtualClock } from "../../../tools/virtual-clock";

/** What one window of the service counted. */
export interface CountedWindow {
  readonly startedMs: number;
  accepted: number;
  refused: number;
}

/** Fixed windows that begin with their first call (service, Limits). */
export class WindowCounter {
  readonly windows: CountedWindow[] = [];

  constructor(
    private readonly now: () => number,
    private readonly limit = 120,
    private readonly windowMs = 60_000,
  ) {}

  /** Counts calls: the client's own, or those of somebody else with the same token. */
  take(calls = 1): { isAccepted: boolean; headers: Record<string, string> } {
    const now = this.now();
    let window = this.windows.at(-1);
    if (window === undefined || now >= window.startedMs + this.windowMs) {
      window = { startedMs: now, accepted: 0, refused: 0 };
      this.windows.push(window);
    }
    const isAccepted = window.accepted + calls <= this.limit;
    if (isAccepted) window.accepted += calls;
    else window.refused += calls;
    return {
      isAccepted,
      headers: {
        "x-ratelimit-limit": String(this.limit),
        "x-ratelimit-remaining": String(Math.max(0, this.limit - window.accepted)),
        "x-ratelimit-reset": String(Math.ceil((window.startedMs + this.windowMs - now) / 1000)),
      },
    };
  }

  get accepted(): number[] {
    return this.windows.map(({ accepted }) => accepted);
  }

  get refused(): number {
    return this.windows.reduce((sum, { refused }) => sum + refused, 0);
  }
}

/** Answers each call with `body` as long as its window has calls left, else with 429. */
export function counted(counterOf: (path: string) => WindowCounter, body: unknown): Responder {
  return ({ url }): Reply => {
    const { isAccepted, headers } = counterOf(url.pathname).take();
    return isAccepted
      ? { status: 200, headers, body }
      : { status: 429, headers, body: { message: "Too many requests" } };
  };
}

/** One counter per path. */
export function perPath(
  clock: Pick<VirtualClock, "now">,
  limit?: number,
): Map<string, WindowCounter> & {
  of(path: string): WindowCounter;
} {
  const counters = new Map<string, WindowCounter>();
  return Object.assign(counters, {
    of: (path: string): WindowCounter => {
      const known = counters.get(path);
      if (known !== undefined) return known;
      const counter = new WindowCounter(() => clock.now(), limit);
      counters.set(path, counter);
      return counter;
    },
  });
}
