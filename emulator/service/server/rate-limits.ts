import type { StricterLimit } from "../../../spec/operation";
import type { Clock } from "../world/clock";
import type { ApiRequest } from "./request";

/** 120 requests a minute per identity and scope (service, Limits). */
const standardLimit: StricterLimit = { limit: 120, windowMs: 60_000 };

/** What the standard limit counts together: the calls of one scope, or those of one operation within it. */
export type LimitRule = "scope" | "operation";

/** The endpoint called, as far as limits are concerned. */
interface LimitedEndpoint {
  readonly name: string;
  readonly stricterLimits: readonly StricterLimit[];
}

export interface RateVerdict {
  readonly isExceeded: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface Window extends StricterLimit {
  startedAt: number;
  count: number;
}

/**
 * Fixed windows, each of which starts with its first call. What they count together is unsure: the specification says a
 * scope, the recorded headers look like one operation of it (service, Limits), so either can be had.
 */
export class RateLimits {
  private readonly windows = new Map<string, Window>();
  private sweepAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly rule: LimitRule = "scope",
  ) {}

  /** Counts one call and says whether it is still within every limit. */
  take(identity: string, scopeKey: string, endpoint?: LimitedEndpoint): RateVerdict {
    const now = this.clock.now();
    const scope = this.standardWindow(now, identity, scopeKey, endpoint);
    scope.count += 1;
    if (isExceeded(scope)) return { isExceeded: true, headers: headersOf(scope, now) };

    const stricter = this.stricterWindows(now, identity, scopeKey, endpoint);
    for (const window of stricter) window.count += 1;
    const described = tightest(stricter) ?? scope;
    return { isExceeded: stricter.some(isExceeded), headers: headersOf(described, now) };
  }

  /** The headers of an answer 429 to such a call, whether or not its window is used up. */
  exhausted(
    identity: string,
    scopeKey: string,
    endpoint?: LimitedEndpoint,
  ): Readonly<Record<string, string>> {
    const now = this.clock.now();
    const scope = this.standardWindow(now, identity, scopeKey, endpoint);
    const window = tightest(this.stricterWindows(now, identity, scopeKey, endpoint)) ?? scope;
    return { ...headersOf(window, now), "x-ratelimit-remaining": "0" };
  }

  clear(): void {
    this.windows.clear();
  }

  // One call is at one moment: a clock that leaps in between must not end a window that counts it.
  private standardWindow(
    now: number,
    identity: string,
    scopeKey: string,
    endpoint?: LimitedEndpoint,
  ): Window {
    const counted = this.rule === "scope" ? scopeKey : `${scopeKey} ${endpoint?.name ?? ""}`;
    return this.window(now, `${identity} ${counted}`, standardLimit);
  }

  private stricterWindows(
    now: number,
    identity: string,
    scopeKey: string,
    endpoint?: LimitedEndpoint,
  ): Window[] {
    return (endpoint?.stricterLimits ?? []).map((limit, index) =>
      this.window(now, `${identity} ${scopeKey} ${endpoint?.name ?? ""} ${index}`, limit),
    );
  }

  private window(now: number, key: string, limit: StricterLimit): Window {
    const current = this.windows.get(key);
    if (current !== undefined && now < current.startedAt + current.windowMs) return current;
    this.forgetEnded(now);
    const opened = { ...limit, startedAt: now, count: 0 };
    this.windows.set(key, opened);
    return opened;
  }

  /** Callers may make up any number of scopes. */
  private forgetEnded(now: number): void {
    if (now < this.sweepAt) return;
    this.sweepAt = now + standardLimit.windowMs;
    for (const [key, { startedAt, windowMs }] of this.windows) {
      if (startedAt + windowMs <= now) this.windows.delete(key);
    }
  }
}

function headersOf(window: Window, now: number): Readonly<Record<string, string>> {
  const resetMs = window.startedAt + window.windowMs - now;
  return {
    "x-ratelimit-limit": String(window.limit),
    "x-ratelimit-remaining": String(Math.max(0, window.limit - window.count)),
    "x-ratelimit-reset": String(Math.ceil(resetMs / 1000)),
  };
}

/** Where several limits apply, the headers describe the one that stops the caller longest or soonest. */
function tightest(windows: readonly Window[]): Window | undefined {
  const left = (window: Window): number => Math.max(0, window.limit - window.count);
  const end = (window: Window): number => window.startedAt + window.windowMs;
  return windows.toSorted(
    (a, b) => Number(isExceeded(b)) - Number(isExceeded(a)) || left(a) - left(b) || end(b) - end(a),
  )[0];
}

function isExceeded(window: Window): boolean {
  return window.count > window.limit;
}

/** What a call counts against: parameters of `take` and `exhausted`. */
export type LimitKey = readonly [identity: string, scopeKey: string, endpoint?: LimitedEndpoint];

export function limitKeyOf(identity: string, { path, target }: ApiRequest): LimitKey {
  const scopeKey = scopeKeyOf(path);
  if (target === undefined) return [identity, scopeKey];
  const { name, operation } = target;
  return [identity, scopeKey, { name, stricterLimits: operation.stricterLimits }];
}

/** What a path counts against (service, Limits). */
export function scopeKeyOf(path: string): string {
  const [, version, collection, id] = path.split("/");
  if (version !== "v1" || id === undefined || id === "") return "account";
  // The regions for a new project are no project's.
  if (collection === "projects" && id !== "available-regions") return `project:${id}`;
  if (collection === "organizations") return `organization:${id}`;
  if (collection === "branches") return `branch:${id}`;
  return "account";
}
