import { InvalidInputError } from "../../client/errors/errors";
import type { AnyResource, ObjectCandidate, ObservedResource, SetPart } from "../../define/resource";
import { findDifference, isOnlyIdentity, findUnlikeInput } from "./fingerprint";
import { createClaim, withId } from "../../ledger/claim";
import { isMadeDuring, IN_FLIGHT_GRACE_MS, type LedgerRecord } from "../../ledger/ledger-record";
import { observe } from "../step/observe";
import { findableProblems } from "../step/problems";
import type { Creation } from "./creation";
import { pick, type Values } from "../../define/values";

/** What a create sent, and when: enough to recognise what it made. */
export interface SentCreate extends Pick<
  LedgerRecord,
  "sent" | "withheld" | "outputs" | "requests" | "knownIds"
> {
  /** For how many milliseconds after a request without an answer a new object may still be its work. */
  readonly openMs: number;
  /** An object without a time of creation counts by being new. */
  readonly countsWithoutTime?: true;
}

/** The create of a run that has died: its requests ended with the run at the latest. */
export function toSentCreate(record: LedgerRecord): SentCreate {
  return { ...record, openMs: IN_FLIGHT_GRACE_MS };
}

export interface CreatedCandidate extends ObjectCandidate {
  readonly observed: ObservedResource<Values, Values>;
  /** Why it is not proven that the create made it, as a clause; undefined where it is. */
  readonly doubt: string | undefined;
}

/**
 * Objects that a create may have made: no listing before it has them, and every field that was sent and cannot be changed in
 * place is equal. It is proven for an object that was made during a request, by the service's own time, and that is equal in
 * everything that was sent and can be read.
 */
export async function findCreated(creation: Creation, sent: SentCreate): Promise<CreatedCandidate[]> {
  const { runtime, ctx, resource, inputs } = creation;
  const sentInputs = { ...inputs, ...sent.sent };
  const claim = createClaim(resource, sentInputs);
  const found: CreatedCandidate[] = [];
  for (const candidate of (await resource.find?.(ctx, sentInputs)) ?? []) {
    const { id } = candidate;
    const isOthers = !claim.isShared && runtime.ledger.isMadeForAnother(withId(claim, id));
    if (sent.knownIds.includes(id) || candidate.isDifferentObject === true || isOthers) continue;
    // Where no name is declared, only the time of creation shows that an object can be the create's.
    const isLate = isMadeDuring(sent.requests, candidate, sent.openMs) === false;
    if (candidate.collides === false && isLate) continue;
    const observed = await readSentObject(creation, sent, id);
    if (observed !== undefined)
      found.push({ ...candidate, observed, doubt: explainDoubt(creation, sent, candidate, observed) });
  }
  return found;
}

/** A set whose create had no answer, where a part of it may be the work of somebody else. */
export async function findDoubtfulSet(
  creation: Creation,
  sent: SentCreate,
  { id, observed }: Pick<CreatedCandidate, "id" | "observed">,
): Promise<CreatedCandidate | undefined> {
  const { ctx, resource, inputs } = creation;
  const candidates = (await resource.find?.(ctx, { ...inputs, ...sent.sent })) ?? [];
  const candidate = candidates.find((each) => each.id === id && each.parts !== undefined);
  if (candidate === undefined) return undefined;
  const doubt = explainDoubt(creation, sent, candidate, observed);
  return doubt === undefined ? undefined : { ...candidate, observed, doubt };
}

function explainDoubt(
  creation: Creation,
  { sent, withheld, requests, openMs, countsWithoutTime }: SentCreate,
  candidate: ObjectCandidate,
  observed: CreatedCandidate["observed"],
): string | undefined {
  const { resource, inputs, claim, runtime } = creation;
  const { ledger } = runtime;
  const parts: readonly SetPart[] = candidate.parts ?? [{ createdAt: candidate.createdAt }];
  const unlike =
    findUnlikeInput(resource, { ...pick(inputs, withheld), ...sent }, observed) ??
    parts.find((part) => part.unlike !== undefined)?.unlike;
  if (unlike !== undefined) return `its ${unlike} is not what was sent`;
  const times = parts.map((part) => isMadeDuring(requests, part, openMs));
  const isMade = times.includes(false) ? false : times.includes(undefined) ? undefined : true;
  // An object without a time of creation is only known to be new. That suffices for one that is nothing but its identity.
  if (isMade === undefined && countsWithoutTime !== true && !isOnlyIdentity(resource))
    return "the service does not return its time of creation";
  if (isMade === false) return "it was not created between the request and its answer";
  const owners = claim.isShared ? [] : ledger.owners.list(withId(claim, candidate.id));
  if (owners.some(({ owner }) => owner !== claim.owner)) return "another resource manages it";
  const others = ledger.listUnnamedCreatesOfOthers(claim);
  const isSibling = others.some((other) => findUnlikeInput(resource, other.sent, observed) === undefined);
  return isSibling ? "it matches another create of this stack too" : undefined;
}

/** The object of an id; undefined where there is none, or one that differs from what was sent. */
export async function readSentObject(
  { ctx, resource, inputs }: Creation,
  { sent, outputs = {} }: Pick<SentCreate, "sent" | "outputs">,
  id: string,
): Promise<ObservedResource<Values, Values> | undefined> {
  const observed = await observe(ctx, resource, { id, state: { ...inputs, ...sent, ...outputs } });
  const isDifferentObject =
    observed === undefined || findDifference(resource, sent, outputs, observed) !== undefined;
  return isDifferentObject ? undefined : observed;
}

/** The object that the create has made; undefined where none was found. Throws where several may be it, or none is proven. */
export function requireProven(
  resource: AnyResource,
  found: readonly CreatedCandidate[],
  beganAtMs: number,
): CreatedCandidate | undefined {
  const proven = found.filter(({ doubt }) => doubt === undefined);
  const [only, second] = proven;
  // An object without a time of creation may be the create's as well.
  const isCertain = found.every(({ doubt, createdAt }) => doubt === undefined || createdAt !== undefined);
  if (found.length === 0 || (only !== undefined && second === undefined && isCertain)) return only;
  const reasonOf = ({ doubt }: CreatedCandidate): string => doubt ?? "other objects match too";
  throw new InvalidInputError(
    "adoptId",
    findableProblems.mayHaveMade.message({
      time: new Date(beganAtMs).toISOString(),
      type: resource.type,
      candidates: found.map((each) => `${each.id} (${each.label}): ${reasonOf(each)}`).join("; "),
      id: (only ?? found[0])?.id ?? "",
    }),
  );
}
