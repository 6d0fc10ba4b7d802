import type { Context } from "../define/context";
import type { AnyResource, Candidate, Observed } from "../define/resource";
import { differenceFrom } from "./identify";
import { objectKey } from "./journal-subject";
import { isMadeDuring, type Entry } from "./journal/entry";
import type { JournalSubject, Leftover } from "./journal/journal";
import { observe } from "./observe";
import type { Runtime } from "./runtime";
import type { Values } from "./state";

/** A create with what it needs to know of earlier ones. */
export interface Creation {
  readonly runtime: Runtime;
  readonly ctx: Context;
  readonly resource: AnyResource;
  readonly inputs: Values;
  /** Undefined where nothing tells which resource of a program this is. */
  readonly subject: JournalSubject | undefined;
  /** Interrupted creates that nothing was found of, and whose request may still be under way. */
  readonly outstanding: Leftover[];
}

/** What a create sent, and when: enough to recognise what it made. */
export type Sent = Pick<Entry, "sent" | "outputs" | "serviceTime" | "knownIds">;

export interface Found extends Candidate {
  readonly observed: Observed<Values, Values>;
  /** Made while the create was under way, by the service's own time, or what only it can have written. */
  readonly isProven: boolean;
}

/**
 * Objects that a create may have made: not there before, nobody else's of this stack, made while it was under way as far as
 * the service tells, and in agreement with every field that was sent and cannot be changed in place.
 */
export async function findMadeBy(creation: Creation, sent: Sent): Promise<Found[]> {
  const { runtime, ctx, resource, inputs, subject } = creation;
  const sentInputs = { ...inputs, ...sent.sent };
  const found: Found[] = [];
  for (const candidate of (await resource.find?.(ctx, sentInputs)) ?? []) {
    const { id } = candidate;
    const isMade = isMadeDuring(sent.serviceTime, candidate);
    const object = objectKey(resource, id, sentInputs);
    const isOthers = subject !== undefined && runtime.journal.isClaimed(subject.stack, object);
    if (sent.knownIds.includes(id) || candidate.isAnother === true || isMade === false || isOthers) continue;
    const observed = await lookAt(creation, sent, id);
    if (observed !== undefined) {
      const isProven = isMade === true || candidate.bearsWhatWasSent === true;
      found.push({ ...candidate, observed, isProven });
    }
  }
  return found;
}

/** What the service shows under an id, where it is still the object that was sent. */
export async function lookAt(
  { ctx, resource, inputs }: Creation,
  { sent, outputs = {} }: Pick<Sent, "sent" | "outputs">,
  id: string,
): Promise<Observed<Values, Values> | undefined> {
  const observed = await observe(ctx, resource, { id, state: { ...inputs, ...sent, ...outputs } });
  const isAnother = observed === undefined || differenceFrom(resource, sent, outputs, observed) !== undefined;
  return isAnother ? undefined : observed;
}
