import { z } from "zod";
import type { healthService } from "../../spec/shared-fields";
import {
  ApiError,
  ForbiddenError,
  isNotFound,
  isNotReady,
  isTransient,
  saysThatItExists,
  TimeoutError,
} from "../client/errors/errors";
import { parseJson } from "../client/parse-json";
import type { Api, Context } from "../define/context";
import { realtimeProblems, restProblems } from "../define/problems";
import { TerminalStateError, mayPassWhileStarting, waitThroughStates } from "./project-state";
import { poll } from "./poll";

/** Services whose health the API reports. */
export type HealthService = z.infer<typeof healthService>;

type HealthEntry = Awaited<ReturnType<Api["getHealth"]>>[number];

/** What a project is of use with; `db_postgres_user` is the database once more, `legacy_pooler` is not everywhere. */
export const usualServices: readonly HealthService[] = [
  "auth",
  "db",
  "pooler",
  "realtime",
  "rest",
  "storage",
];

/**
 * Waits until the named services of a project or branch are healthy; a REST layer without a schema and a suspended
 * realtime never are. Returns whether there was anything to wait for.
 */
export async function waitForServices(
  ctx: Context,
  ref: string,
  services: readonly HealthService[] = usualServices,
): Promise<boolean> {
  if (services.length === 0) return false;
  let looks = 0;
  const listUnhealthy = (entries: readonly HealthEntry[]): HealthService[] =>
    services.filter((service) => !isHealthy(entries, service));
  let isSuspended: boolean | undefined;
  const isLasting = (entries: readonly HealthEntry[], service: HealthService): boolean =>
    service === "rest" ? isRestWithoutSchema(entries) : service === "realtime" && isSuspended === true;
  const lasting = await poll<readonly HealthEntry[], readonly HealthService[]>(ctx, {
    what: `the services of ${ref}`,
    look: async () => {
      looks += 1;
      const entries = await ctx.api.getHealth({ ref, services: [...services] }).catch(ignoreNotReady);
      const waited = listUnhealthy(entries).filter((service) => !isLasting(entries, service));
      // Asked once: nothing suspends it while it is waited for.
      if (entries.length > 0 && waited.join() === "realtime")
        isSuspended ??= await isRealtimeSuspended(ctx, ref);
      return entries;
    },
    judge(entries) {
      const unhealthy = listUnhealthy(entries);
      const others = unhealthy.filter((service) => !isLasting(entries, service));
      return others.length === 0
        ? { kind: "done", value: unhealthy }
        : { kind: "waiting", reason: others.map((service) => describeHealth(entries, service)).join(", ") };
    },
    mayPass: mayPassWhileStarting,
  });
  if (lasting.includes("rest")) ctx.warn(restProblems.restWithoutSchema.message({ ref }));
  if (lasting.includes("realtime")) ctx.warn(realtimeProblems.realtimeSuspended.message({ ref }));
  return looks > 1;
}

/** Its health does not say so; a token that may not look waits for it as for any other service. */
async function isRealtimeSuspended(ctx: Context, ref: string): Promise<boolean> {
  try {
    return (await ctx.api.getRealtimeConfig({ ref })).suspend === true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/**
 * Waits until the database that a write may have restarted is healthy; `isWanted` where it surely has. A project shows its
 * restart in its status; a branch, which has no project of its own ref, in its health only.
 */
export async function waitForRestart(ctx: Context, ref: string, isWanted = false): Promise<void> {
  let hasRestarted = false;
  const wasSeen = await poll<boolean, boolean>(ctx, {
    what: `the database of ${ref} to restart`,
    look: () => isRestarting(ctx, ref, isWanted),
    judge: (restarting) => {
      hasRestarted ||= restarting;
      return restarting ? { kind: "waiting", reason: "RESTARTING" } : { kind: "done", value: hasRestarted };
    },
  });
  if (isWanted && !wasSeen) await waitUntilRestartShows(ctx, ref, ["db"]);
  if (isWanted || wasSeen) await waitForServices(ctx, ref, ["db"]);
}

/** How long after a restart the services may still be reported as healthy (service, Health). */
const RESTART_SHOWS_WITHIN_MS = 10_000;

/** After a restart that the project's status does not show: until a service is seen unhealthy, or for ten seconds. */
export async function waitUntilRestartShows(
  ctx: Context,
  ref: string,
  services: readonly HealthService[] = usualServices,
): Promise<void> {
  const untilMs = ctx.clock.now() + RESTART_SHOWS_WITHIN_MS;
  await poll<readonly HealthEntry[], undefined>(ctx, {
    what: `the restart of ${ref} to begin`,
    look: () => ctx.api.getHealth({ ref, services: [...services] }).catch(ignoreNotReady),
    judge: (entries) =>
      services.every((service) => isHealthy(entries, service)) && ctx.clock.now() < untilMs
        ? { kind: "waiting", reason: "its services are still reported as healthy" }
        : { kind: "done", value: undefined },
    mayPass: mayPassWhileStarting,
    longestDelayMs: 2_500,
  });
}

/** An answer may still be that of a server which is about to stop: two of them this far apart are of one that runs. */
const BETWEEN_ANSWERS_MS = 5_000;

/** Waits until the database answers, after a restart that nothing shows; a token that may not query is believed. */
export async function waitUntilQueriesAnswer(ctx: Context, ref: string): Promise<void> {
  let answeredAt: number | undefined;
  await poll<string | undefined, undefined>(ctx, {
    what: `the database of ${ref} to answer after its restart`,
    firstDelayMs: 2_500,
    longestDelayMs: 5_000,
    look: async () => {
      try {
        await ctx.api.runReadOnlyQuery({ ref, body: { query: "select 1" } });
        return undefined;
      } catch (error) {
        if (error instanceof ForbiddenError || isNotFound(error)) {
          answeredAt = -Infinity;
          return undefined;
        }
        if (error instanceof ApiError) return error.serviceMessage;
        throw error;
      }
    },
    mayPass: isTransient,
    judge(refusal) {
      const now = ctx.clock.now();
      answeredAt = refusal === undefined ? (answeredAt ?? now) : undefined;
      if (refusal !== undefined) return { kind: "waiting", reason: refusal };
      return now - (answeredAt ?? now) >= BETWEEN_ANSWERS_MS
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: "it has answered once" };
    },
  });
}

/** A token that may not look at the project does not fail a write that wanted no restart. */
async function isRestarting(ctx: Context, ref: string, isWanted: boolean): Promise<boolean> {
  try {
    return (await ctx.api.getProject({ ref })).status === "RESTARTING";
  } catch (error) {
    if (isNotFound(error) || (error instanceof ForbiddenError && !isWanted)) return false;
    throw error;
  }
}

/** What a service of the project has not set up yet: `callWhenReady` takes it for a refusal by a project that is starting. */
export class NotReadyError extends Error {}

/**
 * Sends a write that needs a ready project. When the service refuses it because the project is still starting, waits
 * for `services` and sends it again, as often as there was something to wait for: the next restart may have begun in
 * between. A refusal by a healthy project stands, and one by a paused project is reported as such.
 */
export async function callWhenReady<T>(
  ctx: Context,
  ref: string,
  services: readonly HealthService[],
  write: () => Promise<T>,
): Promise<T> {
  for (let isLastTry = false; ;) {
    try {
      return await write();
    } catch (refusal) {
      if (isLastTry || !mayBeTooEarly(refusal)) throw refusal;
      isLastTry = !(await waitForRefusalCause(ctx, ref, services, refusal));
    }
  }
}

/** Waits for what a refusal may be due to; where that cannot be seen, the refusal stands. */
async function waitForRefusalCause(
  ctx: Context,
  ref: string,
  services: readonly HealthService[],
  refusal: unknown,
): Promise<boolean> {
  try {
    const hadStates = await waitThroughStates(ctx, ref);
    return (await waitForServices(ctx, ref, services)) || hadStates;
  } catch (error) {
    throw error instanceof TimeoutError || error instanceof TerminalStateError ? error : refusal;
  }
}

/** What the service refuses to every project (service, Backups). */
const NOT_OFFERED = /unavailable at the moment/i;

function mayBeTooEarly(error: unknown): boolean {
  if (error instanceof NotReadyError) return true;
  // To a write, 409 and 544 say that something exists already (service, Custom hostname): only 400 is a precondition (service, Errors).
  if (!(error instanceof ApiError) || error.status !== 400 || NOT_OFFERED.test(error.serviceMessage))
    return false;
  return !isNotFound(error) && !saysThatItExists(error);
}

/** A project that starts refuses to tell its health for a while; how long that may last, the deadline says. */
function ignoreNotReady(error: unknown): readonly HealthEntry[] {
  if (isNotReady(error)) return [];
  throw error;
}

/** What a service of the project may be, as far as this version knows. */
const HEALTH_STATUSES: readonly unknown[] = ["COMING_UP", "ACTIVE_HEALTHY", "UNHEALTHY"];

/** By its status; where that is absent or one that this version does not know, by the older field. */
function isHealthy(entries: readonly HealthEntry[], service: HealthService): boolean {
  const entry = entries.find(({ name }) => name === service);
  return HEALTH_STATUSES.includes(entry?.status)
    ? entry?.status === "ACTIVE_HEALTHY"
    : entry?.healthy === true;
}

function isRestWithoutSchema(entries: readonly HealthEntry[]): boolean {
  const info = entries.find(({ name }) => name === "rest")?.info;
  return info != null && "db_schema" in info && info.db_schema === "";
}

function describeHealth(entries: readonly HealthEntry[], service: HealthService): string {
  const entry = entries.find(({ name }) => name === service);
  const why = readHealthError(entry?.error ?? "");
  return `${service} is ${entry?.status ?? "not reported"}${why === "" ? "" : ` (${why})`}`;
}

const wrappedError = z.union([
  z.object({ error: z.string().min(1) }).transform(({ error }) => error),
  z.object({ message: z.string().min(1) }).transform(({ message }) => message),
]);

/** What a service says is wrong with it: the text within JSON such as `{"error":"not found"}`, else the text itself. */
export function readHealthError(error: string): string {
  return wrappedError.safeParse(parseJson(error)).data ?? error;
}
