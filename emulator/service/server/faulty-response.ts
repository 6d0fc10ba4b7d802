import { setTimeout as sleep } from "node:timers/promises";
import { holdBy, sleepBy, waitBy } from "../world/clock";
import type { FaultRule } from "./faults";
import type { World } from "../world/world";
import { isObject } from "../../../spec/is-object";
import type { LimitKey, RateLimits } from "./rate-limits";
import { gatewayReply, jsonReply, throttledReply, type CallEnding, type Reply } from "./reply";
import type { ApiRequest } from "./request";

/** What breaks a call has to work with: what would have answered it, and the limits that it counts against. */
interface FaultContext {
  readonly respond: (request: ApiRequest) => Promise<Reply>;
  readonly world: World;
  readonly limits: RateLimits;
  readonly limitKey: LimitKey;
}

/** Answers a call as a fault wants it: late, with another status or other headers, in half, or not at all. */
export async function respondFaulty(
  fault: FaultRule,
  request: ApiRequest,
  context: FaultContext,
): Promise<CallEnding> {
  const { delayMs, takesMs } = fault;
  const late = delayMs === undefined ? request : await delayed(request, delayMs);
  return takesMs === undefined ? ended(fault, late, context) : endedLater(fault, takesMs, late, context);
}

/** The work goes on beyond a gateway that gives up; its effect is there when its time is over. */
async function endedLater(
  fault: FaultRule,
  takesMs: number,
  request: ApiRequest,
  context: FaultContext,
): Promise<CallEnding> {
  const { clock, statements } = context.world;
  const { gateway } = fault;
  const { late, body } = await readFirst(request);
  const givenUp = Promise.withResolvers<CallEnding>();
  const wait = async (): Promise<void> => {
    await waitBy(clock, sleepBy(clock, gateway?.afterMs ?? takesMs));
    if (gateway === undefined) return;
    const { status = 504, afterMs } = gateway;
    givenUp.resolve(status === 0 ? { kind: "dropped" } : { kind: "complete", reply: gatewayReply(status) });
    await sleepBy(clock, takesMs - afterMs);
  };
  const work = (): Promise<CallEnding> => {
    const done = ended(fault, late, context);
    return gateway === undefined ? done : holdBy(clock, done);
  };
  const { ref } = request.params;
  const sql = sqlIn(body);
  const end =
    ref === undefined || sql === undefined ? wait().then(work) : statements.run(ref, sql, wait, work);
  const goesOn = end.then(
    () => undefined,
    () => undefined,
  );
  return Promise.race([end, givenUp.promise.then((outcome) => ({ ...outcome, goesOn }))]);
}

/** The SQL that a call runs, where it does. */
function sqlIn(body: Uint8Array): string | undefined {
  try {
    const sent: unknown = JSON.parse(new TextDecoder().decode(body));
    return isObject(sent) && typeof sent["query"] === "string" ? sent["query"] : undefined;
  } catch {
    return undefined;
  }
}

async function ended(fault: FaultRule, late: ApiRequest, context: FaultContext): Promise<CallEnding> {
  const { drop, hold } = fault;
  if (drop === "before") return { kind: "dropped" };
  if (hold === "before") return { kind: "held" };
  const reply = withHeaders(await faultyReply(fault, late, context), fault);
  if (drop === "after") return { kind: "dropped" };
  if (hold === "after") return { kind: "held" };
  if (hold === "endless") return { kind: "endless", reply };
  return { kind: drop === "midway" ? "half" : "complete", reply };
}

async function delayed(request: ApiRequest, delayMs: number): Promise<ApiRequest> {
  const { late } = await readFirst(request);
  await sleep(delayMs, undefined, { ref: false });
  return late;
}

/** With its body, so that the work can be done when the caller has gone. */
async function readFirst(
  request: ApiRequest,
): Promise<{ readonly late: ApiRequest; readonly body: Uint8Array }> {
  const read = request.readBody();
  // The stage that reads the body reports what is wrong with it.
  const body = await read.catch(() => new Uint8Array());
  return { late: { ...request, readBody: () => read }, body };
}

async function faultyReply(
  { status, after, drop, hold, message, body }: FaultRule,
  request: ApiRequest,
  { respond, limits, limitKey }: FaultContext,
): Promise<Reply> {
  if (status === undefined) return respond(request);
  const isWorkDone = after === true || drop !== undefined || hold !== undefined;
  let limitHeaders: Readonly<Record<string, string>>;
  if (isWorkDone) limitHeaders = limitHeadersOf(await respond(request));
  // An injected 429 looks like a used-up window; any other injected error counts like a call that failed by itself.
  else if (status === 429) limitHeaders = limits.exhausted(...limitKey);
  else limitHeaders = limits.take(...limitKey).headers;
  const injected = injectedReply(status, message, body);
  return { ...injected, headers: { ...limitHeaders, ...injected.headers } };
}

function injectedReply(status: number, message: string | undefined, body: unknown): Reply {
  if (status === 429 && body === undefined) return throttledReply(message);
  if (typeof body === "string") {
    return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
  }
  return jsonReply(status, body === undefined ? { message: message ?? `Injected fault: ${status}` } : body);
}

function limitHeadersOf({ headers }: Reply): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("x-ratelimit-")));
}

/** The answer with other headers, of which null leaves one out. */
function withHeaders(reply: Reply, { headers = {} }: FaultRule): Reply {
  const changed = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = { ...reply.headers, ...Object.fromEntries(changed) };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return { ...reply, headers: Object.fromEntries(kept) };
}
