import {
  ApiError,
  CancelledError,
  ForbiddenError,
  RateLimitedError,
  ResponseSchemaError,
  TimeoutError,
  UnauthorizedError,
  type NotFoundError,
} from "../client/errors/errors";
import { replaceMessage } from "../client/errors/with-message";
import type { Context } from "../define/context";
import { absenceProblems } from "../define/problems";
import { ACTIVE_HEALTHY } from "../define/project-status";
import { PROTECTION_INPUT, type AnyResource } from "../define/resource";
import {
  UnprovenAbsenceError,
  isProvenGoneOnce,
  readOwnerStateNow,
  readOwnerStateOnce,
  recordAbsence,
  type OwnerState,
} from "../lookup/owner-state";
import { warnOfKeptOnce } from "../lookup/unproven-absence";
import { NotReadyError } from "../waiting/project-health";
import { TerminalStateError } from "../waiting/project-state";
import { parentInputs } from "../ledger/claim";
import { readOwner, urnOf, UNKNOWN_URN } from "../ledger/owner";
import { refuseOtherService } from "./step/service-address";
import type { Runtime } from "./step/runtime";
import type { Values } from "../define/values";

interface MissingObject {
  readonly id: string;
  readonly state: Values;
}

/** An object that a read or a delete did not find: proven to be gone, or not, and why not. */
export type Absence = { readonly isGone: true } | { readonly isGone: false; readonly reason: string };

const GONE: Absence = { isGone: true };

/** A project of this status answers for a single object. What it lists proves nothing of one that it does not list. */
export const ANSWERS_FOR_OBJECTS = "ACTIVE_UNHEALTHY";

/** The service could not start the project: nothing in it was ever usable, and nothing in it can be deleted. */
const NEVER_STARTED = "INIT_FAILED";

/**
 * Whether an object is gone that the service does not show. `answer` is the error that said so; undefined where a listing
 * is without it. A service at another address, a project that does not run, or one that the token may not see proves nothing.
 * Throws where the address or a permission is the reason.
 */
export async function judgeAbsence(
  ctx: Context,
  runtime: Runtime,
  resource: AnyResource,
  target: MissingObject,
  { step, answer }: { readonly step: "read" | "delete"; readonly answer: NotFoundError | undefined },
): Promise<Absence> {
  refuseOtherService(runtime, resource, target);
  if (answer?.status === 400) return GONE;
  const ref = ownerRefOf(resource, target.state);
  // A project or an organization has proven it by itself.
  if (ref === undefined) return GONE;
  const owner = await readOwnerOf(ctx, resource, target, ref);
  if (owner.kind === "removed") return recordGone(ctx, resource, target);
  if (owner.kind === "absent") {
    // A protected one is gone only if the service says so of its project: the listing may be that of another account.
    const isProtected = target.state[PROTECTION_INPUT] === true;
    // The same of what is in it: only what this run has heard of the project itself tells.
    const mayBeOutOfSight = runtime.program.mayBeOutOfSight(ref) && ctx.shared.absences.get(ref) !== "gone";
    return !isProtected && !mayBeOutOfSight && (await isProvenGoneOnce(ctx, ref))
      ? recordGone(ctx, resource, target)
      : { isGone: false, reason: `${ref} answers 404, and no listing proves that it was deleted` };
  }
  const { subject, status } = owner;
  const isOfObject = status === ANSWERS_FOR_OBJECTS && answer !== undefined;
  return isOfObject || hasWholeListings(status, step)
    ? recordGone(ctx, resource, target)
    : { isGone: false, reason: `the ${subject} ${ref} is ${status}` };
}

/** Whether what a project or branch of this status does not list is not there. */
function hasWholeListings(status: string, step: "read" | "delete"): boolean {
  return status === ACTIVE_HEALTHY || (status === NEVER_STARTED && step === "delete");
}

/** The state of an object's owner; throws where the token may not read it. */
async function readOwnerOf(
  ctx: Context,
  resource: AnyResource,
  target: MissingObject,
  ref: string,
): Promise<OwnerState> {
  return readOwnerStateOnce(ctx, ref).catch((error: unknown) => {
    if (!(error instanceof ForbiddenError)) throw error;
    throw replaceMessage(
      error,
      absenceProblems.stateUnknown.message({
        ...identifyMissingObject(resource, target),
        ref,
        error: error.message,
      }),
    );
  });
}

/** Why what a project or branch answers proves nothing of what is in it; `removed` where it is being removed with all of that. */
type Doubt = "none" | "removed" | { readonly reason: string };

/**
 * Judges what a read shows of a set or a configuration, or a delete that had nothing to do: where an answer was empty, only an active
 * project or branch proves it. Throws where the address or a permission is the reason.
 */
export async function judgeEmptyAnswer(
  ctx: Context,
  runtime: Runtime,
  resource: AnyResource,
  target: MissingObject,
  step: "read" | "delete",
): Promise<Doubt> {
  const ref = ownerRefOf(resource, target.state);
  if (ref === undefined || !ctx.hasEmptyAnswer(ref)) return "none";
  refuseOtherService(runtime, resource, target);
  const owner = await readOwnerOf(ctx, resource, target, ref);
  if (owner.kind === "removed") return "removed";
  if (owner.kind === "absent") return { reason: `${ref} answers 404` };
  const { subject, status } = owner;
  if (hasWholeListings(status, step)) return "none";
  return { reason: `the ${subject} ${ref} is ${status}` };
}

/**
 * Judges a read that failed: whether that is because its project or branch is not active or a part of it is down.
 * The state is asked for as it is now: it may have changed since this run read it.
 */
export async function judgeFailedRead(
  ctx: Context,
  resource: AnyResource,
  state: Values,
  error: unknown,
): Promise<Doubt> {
  const ref = ownerRefOf(resource, state);
  if (ref === undefined || OF_OTHER_REASONS.some((kind) => error instanceof kind)) return "none";
  const owner = await readOwnerStateNow(ctx, ref).catch(() => undefined);
  if (owner === undefined || owner.kind === "absent") return "none";
  if (owner.kind === "removed") return "removed";
  const { subject, status } = owner;
  if (status === ACTIVE_HEALTHY) return "none";
  const isOfListing = error instanceof UnprovenAbsenceError;
  if (status === ANSWERS_FOR_OBJECTS && !isOfListing && !isOfPartThatIsDown(error)) return "none";
  return { reason: `the ${subject} ${ref} is ${status}` };
}

/**
 * Whether a delete was refused by a project that the service never started, so that it would be refused for ever: with a 404
 * or 406, or of a configuration, which has nothing to delete.
 */
export async function hasNeverExisted(
  ctx: Context,
  resource: AnyResource,
  state: Values,
  error: unknown,
): Promise<boolean> {
  const ref = ownerRefOf(resource, state);
  const isNotFound = error instanceof ApiError && [404, 406].includes(error.status);
  const isOfConfiguration = error instanceof TerminalStateError && resource.find === undefined;
  if (ref === undefined || (!isNotFound && !isOfConfiguration)) return false;
  const owner = await readOwnerStateNow(ctx, ref).catch(() => undefined);
  return owner?.kind === "found" && owner.status === NEVER_STARTED;
}

/** What a part of a project answers that is down (service, Paused projects). An object's own 404 does not come here: it is no error. */
function isOfPartThatIsDown(error: unknown): boolean {
  // An answer that lacks what it must have may be an empty one.
  if (error instanceof NotReadyError || error instanceof ResponseSchemaError) return true;
  return error instanceof ApiError && ([400, 404, 406].includes(error.status) || error.status >= 500);
}

/** Errors that say nothing of the project's state. */
const OF_OTHER_REASONS = [ForbiddenError, UnauthorizedError, RateLimitedError, CancelledError, TimeoutError];

/** Where the object is a branch, its own objects are gone with it. */
function recordGone(ctx: Context, { idOutput }: AnyResource, { id }: MissingObject): Absence {
  if (idOutput === "ref") recordAbsence(ctx, id, "gone");
  return GONE;
}

/** The error of a delete that found nothing, where that proves nothing. */
export function createUnprovenDeleteError(
  resource: AnyResource,
  target: MissingObject,
  reason: string,
): Error {
  return new UnprovenAbsenceError(
    absenceProblems.notFoundToDelete.message({ ...identifyMissingObject(resource, target), reason }),
  );
}

/** Reports, once for each project in a run, that objects in it were not found and stay in the state. */
export async function warnOfKept(
  ctx: Context,
  resource: AnyResource,
  { id, state }: MissingObject,
  reason: string,
): Promise<void> {
  await warnOfKeptOnce(ctx, { owner: ownerRefOf(resource, state) ?? id, type: resource.type, id, reason });
}

function identifyMissingObject(
  resource: AnyResource,
  { id, state }: MissingObject,
): { type: string; id: string; urn: string } {
  return { type: resource.type, id, urn: urnOf(readOwner(state), resource.type) ?? UNKNOWN_URN };
}

/** The project or branch that the object is in; undefined for what is in none. */
export function ownerRefOf(resource: AnyResource, state: Values): string | undefined {
  const [ref] = parentInputs(resource)
    .filter((name) => name !== "organizationSlug")
    .map((name) => state[name]);
  return typeof ref === "string" ? ref : undefined;
}
