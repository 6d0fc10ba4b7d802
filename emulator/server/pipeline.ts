import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallSource } from "../access/caller";
import type { FaultRule } from "../world/faults";
import { Refusal } from "../handler";
import type { Arrival } from "./arrival";
import { identify, needsToken, type Caller } from "./authenticate";
import { authorize } from "./authorize";
import { execute, refusalFor } from "./execute";
import { requireWithinOrganization } from "./organization-limit";
import { scopeKeyOf, type LimitedEndpoint } from "./rate-limits";
import {
  faultReply,
  gatewayReply,
  refusalReply,
  successReply,
  throttledReply,
  withHeaders,
  type Reply,
} from "./reply";
import type { Service } from "./service";
import { validateArrival } from "./validate";

/** How a call ends: answered, the connection closed after half the answer or without one, or left without an end. */
export type Ending =
  { readonly kind: "whole" | "half"; readonly reply: Reply } | { readonly kind: "closed" | "held" };

/** Takes one call through every stage. */
export async function handleCall(service: Service, arrival: Arrival): Promise<Ending> {
  const requestId = randomUUID();
  const sequence = service.log.nextSequence();
  const at = service.world.clock.now();
  const startedAt = performance.now();
  const caller = identify(service, arrival);
  const { method, path, target } = arrival;
  const fault = service.faults.take({ operation: target?.name, method, path });
  const noise = gatewayNoiseAt(service, sequence);
  const ending = noise ? whole(noise) : await endUnder(fault, service, arrival, caller);

  service.log.add({
    sequence,
    at,
    requestId,
    method,
    path,
    ...(target && { operation: target.name }),
    status: "reply" in ending ? ending.reply.status : 0,
    scopeKey: scopeKeyOf(path),
    identity: caller.identity,
    durationMs: performance.now() - startedAt,
    faulted: noise !== undefined || fault !== undefined,
  });
  const kept = saved(service, ending, target?.name ?? path);
  if (!("reply" in kept)) return kept;
  const { reply } = kept;
  return { ...kept, reply: { ...reply, headers: { "cf-ray": requestId, ...reply.headers } } };
}

function whole(reply: Reply): Ending {
  return { kind: "whole", reply };
}

/** Nothing is answered that a restart would forget. */
function saved(service: Service, ending: Ending, operation: string): Ending {
  try {
    service.store.save();
    return ending;
  } catch (error) {
    return whole(refusalReply(refusalFor(service, operation, error)));
  }
}

function gatewayNoiseAt({ gatewayNoise }: Service, sequence: number): Reply | undefined {
  if (gatewayNoise === undefined || sequence % gatewayNoise.everyNthCall !== 0) return undefined;
  return gatewayReply(gatewayNoise.status ?? 502);
}

async function endUnder(
  fault: FaultRule | undefined,
  service: Service,
  arrival: Arrival,
  caller: Caller,
): Promise<Ending> {
  if (fault === undefined) return whole(await answer(service, arrival, caller));
  const { delayMs, drop, hold } = fault;
  const late = delayMs === undefined ? arrival : await delayed(arrival, delayMs);
  if (drop === "before") return { kind: "closed" };
  if (hold === "before") return { kind: "held" };
  const reply = await replyUnder(fault, service, late, caller);
  if (drop === "after") return { kind: "closed" };
  if (hold === "after") return { kind: "held" };
  return { kind: drop === "midway" ? "half" : "whole", reply };
}

/** The body is read first, so that the work can be done when the caller has gone. */
async function delayed(arrival: Arrival, delayMs: number): Promise<Arrival> {
  const body = arrival.readBody();
  // The stage that reads the body reports what is wrong with it.
  await body.catch(() => undefined);
  await sleep(delayMs, undefined, { ref: false });
  return { ...arrival, readBody: () => body };
}

async function replyUnder(
  fault: FaultRule,
  service: Service,
  arrival: Arrival,
  caller: Caller,
): Promise<Reply> {
  const { status, after, drop, hold } = fault;
  if (status === undefined) return withHeaders(await answer(service, arrival, caller), fault);
  const isWorkDone = after === true || drop !== undefined || hold !== undefined;
  const limits = isWorkDone
    ? rateHeaders(await answer(service, arrival, caller))
    : limitHeaders(service, arrival, caller, status);
  const injected = faultReply(status, fault);
  return withHeaders({ ...injected, headers: { ...limits, ...injected.headers } }, fault);
}

/** An injected 429 looks like a used-up window; any other injected error counts like a call that failed by itself. */
function limitHeaders(
  service: Service,
  arrival: Arrival,
  caller: Caller,
  status: number,
): Readonly<Record<string, string>> {
  const scopeKey = scopeKeyOf(arrival.path);
  return status === 429
    ? service.limits.exhausted(caller.identity, scopeKey, endpointOf(arrival))
    : service.limits.take(caller.identity, scopeKey, endpointOf(arrival)).headers;
}

/** Limits, token, permissions, validation, business rules: the first that objects gives the answer. */
async function answer(service: Service, arrival: Arrival, caller: Caller): Promise<Reply> {
  const verdict = service.limits.take(caller.identity, scopeKeyOf(arrival.path), endpointOf(arrival));
  const reply = verdict.isExceeded
    ? throttledReply()
    : await serve(service, arrival, caller).catch((error: unknown) =>
        refusalReply(
          refusalFor(service, arrival.target?.name ?? arrival.path, error),
          // What nobody serves is quoted as it was called.
          arrival.target === undefined ? undefined : service.names.toWire,
        ),
      );
  return { ...reply, headers: { ...verdict.headers, ...reply.headers } };
}

async function serve(service: Service, arrival: Arrival, caller: Caller): Promise<Reply> {
  const { target } = arrival;
  if (target === undefined) throw unknownEndpoint(arrival);
  if (needsToken(target.operation)) {
    if (caller.access instanceof Refusal) throw caller.access;
    authorize(target.operation, caller.access);
  }
  const input = await validateArrival(target.operation, arrival, service.names.fromWire);
  const source = sourceOf(caller, arrival);
  requireWithinOrganization(service.world, source, target.operation, input);
  const given = await execute(service, target, input, source);
  return successReply(target.operation.success, given, service.names.toWire);
}

function sourceOf({ identity, access }: Caller, arrival: Arrival): CallSource {
  const source = { identity, address: arrival.clientAddress };
  if (access instanceof Refusal) return source;
  const limit = access.kind === "oauth" ? access.organizationSlug : null;
  return {
    ...source,
    user: access.user,
    ...(limit !== null && { organizationSlug: limit }),
    ...(access.kind === "fine-grained" && { permissions: access.permissions }),
  };
}

/** A method that a path does not have is answered as a path that nobody serves. */
function unknownEndpoint({ method, path }: Arrival): Refusal {
  return new Refusal(404, `Cannot ${method} ${path}`);
}

function endpointOf(arrival: Arrival): LimitedEndpoint | undefined {
  if (arrival.target === undefined) return undefined;
  return { name: arrival.target.name, stricterLimits: arrival.target.operation.stricterLimits };
}

function rateHeaders(reply: Reply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.headers).filter(([name]) => name.startsWith("x-ratelimit-")),
  );
}
