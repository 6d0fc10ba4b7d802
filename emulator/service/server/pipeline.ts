import { randomUUID } from "node:crypto";
import { measuredStatusOf, type Operation, type Success } from "../../../spec/operation";
import { isCurrent, isNewer } from "../../../spec/table";
import { finishDatabaseWork, hasDueWork } from "../rules/shared/database/database-work";
import { isAsMeasured } from "../world/state";
import { authorize, identify, requireWithinOrganization, sourceOf, type Caller } from "./authorization";
import { execute, refusalFor } from "./execute";
import { respondFaulty } from "./faulty-response";
import { limitKeyOf, scopeKeyOf } from "./rate-limits";
import { gatewayReply, jsonReply, refusalReply, throttledReply, type CallEnding, type Reply } from "./reply";
import type { ApiRequest, NamedOperation } from "./request";
import type { Service } from "./service";
import { validate } from "./validate";
import { InvalidRequest } from "../answers/invalid-request";
import { Refusal } from "../answers/refusal";

/** Takes one call through every stage: faults, the stages of the service, the log of calls, the data folder. */
export async function handleCall(service: Service, received: ApiRequest): Promise<CallEnding> {
  const requestId = randomUUID();
  const sequence = service.log.nextSequence();
  const at = service.world.clock.now();
  const startedAt = performance.now();
  const { request, body } = service.exchanges.watch(received);
  const { method, path, target } = request;
  const caller = identify(service, request);
  const { isLost, end } = service.overlapping.begin(service.world, request);
  const fault = service.faults.take({ operation: target?.name, method, path });
  const gatewayFault = gatewayFaultAt(service, sequence);

  let outcome: CallEnding;
  if (gatewayFault !== undefined) outcome = { kind: "complete", reply: gatewayFault };
  else if (fault === undefined) {
    outcome = { kind: "complete", reply: await respond(service, request, caller, isLost) };
  } else {
    outcome = await respondFaulty(fault, request, {
      respond: (late) => respond(service, late, caller, isLost),
      world: service.world,
      limits: service.limits,
      limitKey: limitKeyOf(caller.identity, request),
    });
  }

  service.log.add({
    sequence,
    at,
    requestId,
    method,
    path,
    ...(target && { operation: target.name }),
    status: "reply" in outcome ? outcome.reply.status : 0,
    scopeKey: scopeKeyOf(path),
    identity: caller.identity,
    durationMs: performance.now() - startedAt,
    faulted: gatewayFault !== undefined || fault !== undefined,
  });
  try {
    // Nothing is answered that a restart would forget.
    service.store.save();
  } catch (error) {
    outcome = { kind: "complete", reply: refusalReply(refusalFor(service, target?.name ?? path, error)) };
  }
  if ("reply" in outcome) {
    const { reply } = outcome;
    outcome = { ...outcome, reply: { ...reply, headers: { "cf-ray": requestId, ...reply.headers } } };
  }
  service.exchanges.add(sequence, request, body(), outcome);
  const { goesOn } = outcome;
  if (goesOn === undefined) await end();
  else {
    void goesOn.then(end).then(() => service.store.save());
  }
  return outcome;
}

function gatewayFaultAt({ gatewayNoise }: Service, sequence: number): Reply | undefined {
  if (gatewayNoise === undefined || sequence % gatewayNoise.everyNthCall !== 0) return undefined;
  return gatewayReply(gatewayNoise.status ?? 502);
}

/** The stages of the service, rate limits first: the one that refuses gives the answer, with the headers of the limits. */
async function respond(
  service: Service,
  request: ApiRequest,
  caller: Caller,
  isLost: boolean,
): Promise<Reply> {
  const { target, path } = request;
  const verdict = service.limits.take(...limitKeyOf(caller.identity, request));
  let reply: Reply;
  try {
    reply = verdict.isExceeded ? throttledReply() : await serve(service, request, caller, isLost);
  } catch (error) {
    const refusal = refusalFor(service, target?.name ?? path, error);
    // What nobody serves is quoted as it was called.
    reply = target === undefined ? refusalReply(refusal) : service.wire.refusal(refusal);
    if (path.startsWith("/v2/")) reply = inSecondForm(refusal, (text) => service.wire.text(text));
  }
  return { ...reply, headers: { ...verdict.headers, ...reply.headers } };
}

/** The codes that the documents of the second version list for these statuses (service, Errors). */
const codes: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthorized",
  402: "payment_required",
  403: "forbidden",
  404: "not_found",
  429: "rate_limit_exceeded",
};

/** A code of its own is among what a refusal has further. Which code faults have that concern one field is a guess. */
function inSecondForm(refusal: Refusal, write: (text: string) => string): Reply {
  const { status, headers, further } = refusal;
  const code = codes[status] ?? "internal_server_error";
  if (!(refusal instanceof InvalidRequest))
    return jsonReply(status, { error: { code, message: write(refusal.message), ...further } }, headers);
  const issues = [refusal.sentences].flat().map((fault) => ({ code: "bad_request", message: write(fault) }));
  return jsonReply(
    status,
    { error: { code: "validation_failed", message: "Validation failed", issues } },
    headers,
  );
}

/** Token and permissions, validation, organization, business rules. */
async function serve(service: Service, request: ApiRequest, caller: Caller, isLost: boolean): Promise<Reply> {
  const { target, method, path } = request;
  // A method that a path does not have is answered as a path that nobody serves.
  if (target === undefined || !isOffered(service, target)) {
    throw new Refusal(404, `Cannot ${method} ${path}`);
  }
  const { operation } = target;
  authorize(operation, caller);
  const input = validate(operation, await service.wire.input(operation, request));
  const source = sourceOf(caller, request);
  requireWithinOrganization(service.world, source, operation, input);
  await finishWork(service);
  await service.underWay.turn();
  const answer = await execute(service, target, input, source, isLost);
  const reply = service.wire.success(successOf(service, operation), answer);
  // Recorded of the answers to queries (service, SQL).
  const isUncached = operation.success.isWithoutCharset === true && isAsMeasured(service.world.state);
  return isUncached ? { ...reply, headers: { ...reply.headers, "cache-control": "no-cache" } } : reply;
}

function successOf({ world }: Service, operation: Operation): Success {
  const { success } = operation;
  return isAsMeasured(world.state) ? { ...success, status: measuredStatusOf(operation) } : success;
}

/** What action runs have done by now must show, also in what no database answers. */
async function finishWork({ world, underWay, store }: Service): Promise<void> {
  if (!hasDueWork(world)) return;
  await underWay.turn();
  await underWay.add(finishDatabaseWork(world));
  store.markAllDirty();
}

/** An older installation lacks the operations beyond the documents. */
function isOffered({ world }: Service, { name }: NamedOperation): boolean {
  const { state } = world;
  return (state.newerOperationsOffered || !isNewer(name)) && (isAsMeasured(state) || !isCurrent(name));
}
