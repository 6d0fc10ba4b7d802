import { ApiError, TimeoutError } from "../../../client/errors/errors";
import type { Api, Context } from "../../../define/context";
import { signingKeyProblems } from "../../../define/problems";
import { callWhenReady } from "../../../waiting/project-health";

/** A signing key as the service shows it. */
export type SigningKeyRecord = Awaited<ReturnType<Api["getSigningKey"]>>;

const listKey = (ref: string): string => `signing-keys:${ref}`;

/** A project's signing keys: one listing for all resources of a run, until one of them is changed. */
export async function listSigningKeysOnce(ctx: Context, ref: string): Promise<SigningKeyRecord[]> {
  return ctx.shared.list(listKey(ref), () => ctx.api.listSigningKeys({ ref }));
}

export async function listSigningKeysNow(ctx: Context, ref: string): Promise<SigningKeyRecord[]> {
  forgetSigningKeys(ctx, ref);
  return listSigningKeysOnce(ctx, ref);
}

/** Makes one key of the project at a time in this process. */
export async function runKeyCreation<T>(ctx: Context, ref: string, make: () => Promise<T>): Promise<T> {
  return ctx.shared.exclusively(listKey(ref), () => make().finally(() => forgetSigningKeys(ctx, ref)));
}

/** Waits for a project that is starting, and for a time that the service names. */
export async function writeKey<T>(
  ctx: Context,
  ref: string,
  what: string,
  send: () => Promise<T>,
): Promise<T> {
  return callWhenReady(ctx, ref, ["auth"], () => retryAtServerTime(ctx, what, send)).finally(() =>
    forgetSigningKeys(ctx, ref),
  );
}

function forgetSigningKeys(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}

/** The service gives its time to the second, and its check may be as coarse. */
const A_LITTLE_MS = 1_000;

/**
 * Sends a change; one that is refused until a time that the service names (service, Signing keys) is sent again at that time, or
 * not waited for at all where it comes after the deadline.
 */
async function retryAtServerTime<T>(ctx: Context, what: string, send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const atMs = parseServerTime(error.serviceMessage);
      const waitMs = atMs === undefined ? 0 : atMs - readServiceTimeMs(ctx, error) + A_LITTLE_MS;
      if (atMs === undefined || waitMs <= 0) throw error;
      const at = new Date(atMs).toISOString();
      if (ctx.clock.now() + waitMs >= ctx.deadlineMs) throw createTooLateError(what, at, error);
      ctx.progress(`waiting for ${what}: the service accepts it from ${at} on`);
      await ctx.clock.sleep(waitMs, ctx.signal);
    }
  }
}

const WAIT_UNTIL = /\bwait until\s+(.+)$/i;
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?/i;
const HAS_ZONE = /\b(?:GMT|UTC|Z)\b|[+-]\d\d:?\d\d\b/;

/** The time in `Please wait until <time>`, in whichever of the usual forms; one without a zone is taken for UTC. */
export function parseServerTime(message: string): number | undefined {
  const text = WAIT_UNTIL.exec(message)?.[1]?.trim();
  if (text === undefined) return undefined;
  const [, day, time, zone = "Z"] = ISO.exec(text) ?? [];
  const plain = text.replace(/[.)\s]+$/, "");
  const spelt =
    day !== undefined && time !== undefined
      ? `${day}T${time}${/^[+-]/.test(zone) ? zone : "Z"}`
      : `${plain}${HAS_ZONE.test(plain) ? "" : " UTC"}`;
  const parsed = Date.parse(spelt);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** The time of the refusal by the clock that named the other one: this machine's may be wrong. */
function readServiceTimeMs(ctx: Context, { headers }: ApiError): number {
  const serviceMs = Date.parse(headers["date"] ?? "");
  return Number.isNaN(serviceMs) ? ctx.clock.now() : serviceMs;
}

function createTooLateError(what: string, at: string, { serviceMessage }: ApiError): TimeoutError {
  return new TimeoutError(
    signingKeyProblems.afterDeadline.message({ what, time: at, answer: serviceMessage }),
    false,
  );
}
