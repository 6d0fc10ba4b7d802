import { isRefusal, saysThatItExists } from "../../client/errors/errors";
import type { AnyResource, ObjectCandidate, CreationResult } from "../../define/resource";
import { writeOnce } from "../../waiting/write-once";
import { nameMissingOwner } from "../step/errors";
import { recordOwnership } from "../step/ownership";
import { createClaim, type Claim } from "../../ledger/claim";
import { settleResource, type SettledResource } from "../step/settle";
import { trackRequests, adjustCreation, beginCreation, type Creation } from "./creation";
import { findCreated, requireProven } from "./find-created";
import { findPresent } from "./find-present";
import { warnOfDuplicates } from "./find-duplicates";
import {
  allowsDuplicates,
  isRepeatable,
  pickIdentifyingOutputs,
  isOnlyIdentity,
  pickSentInputs,
} from "./fingerprint";
import type { PendingCreate } from "../../ledger/pending-create";
import { resumeInterrupted } from "./resume";
import type { SentRequests } from "../../ledger/sent-requests";
import type { Runtime } from "../step/runtime";
import type { Values } from "../../define/values";
import { adoptExisting, refuseExisting, requireOnlyCandidate } from "./existing";
import { readRequiredOutputs } from "./required-outputs";

export type { SettledResource };

/** Creates the declared object. Takes over an existing one that `adopt`, `adoptId` or an interrupted run names. Never creates a second one. */
export function createResource(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
): Promise<SettledResource> {
  const claim = createClaim(resource, inputs);
  runtime.ledger.requireOwnFolder();
  runtime.program.forgetCheck(resource.type, claim.owner);
  const settle = async (): Promise<SettledResource> => {
    const made = await adoptResumeOrMake(runtime, resource, inputs, claim).catch(async (error: unknown) => {
      throw await nameMissingOwner(runtime, resource, inputs, error);
    });
    runtime.program.recordInheritance(resource, made.state);
    return readRequiredOutputs(runtime, resource, inputs, made);
  };
  return runtime.shared.pace.during(() => recordOwnership(runtime, resource, claim, settle));
}

/** The comments name the states of a pending create (`ledger/pending-create.ts`). */
async function adoptResumeOrMake(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
  claim: Claim,
): Promise<SettledResource> {
  const creation = beginCreation(runtime, resource, inputs, claim);
  const { adopt, adoptId } = inputs;

  // The user names the object.
  if (typeof adoptId === "string") return adoptExisting(creation, adoptId);

  // An interrupted create of this resource has made the object already.
  const earlier = await resumeInterrupted(creation);
  if (earlier.made !== undefined) return earlier.made;

  // The objects of this listing existed before the create. An object that only a later listing has is new.
  const present = await findPresent(creation);
  if (adopt === true && present.length > 0)
    return adoptExisting(creation, requireOnlyCandidate(resource, present).id);
  if (!allowsDuplicates(resource, inputs)) refuseExisting(creation, present);

  // Begun. From now on, the record has what the handlers keep.
  const pending = runtime.ledger.beginCreate(claim, {
    ...pickSentInputs(resource, inputs, runtime.redact),
    knownIds: present.map(({ id }) => id),
  });
  const begun = adjustCreation(creation, {
    ledger: {
      keep: (id, outputs) => {
        creation.ctx.ledger.keep(id, outputs);
        pending?.recordOutputs(id, outputs);
      },
    },
  });

  // Sent, then answered. Each request is in the record before it leaves. A failure leaves the create sent, or forgets it.
  const requests = trackRequests(begun, (all) => pending?.recordRequests(all));
  const created = await sendCreate(begun, pending, requests, present);
  const identifying = pickIdentifyingOutputs(resource, created.outputs ?? {}, runtime.redact);
  pending?.recordAnswer(created.id, { ...pending.record?.outputs, ...identifying });

  // A late request of an undecided create would make this very object, so its record is no longer needed.
  for (const undecided of earlier.undecided) undecided.forget();

  // The id proves the rest, so no further request is recorded. The record ends when the engine calls with the id.
  const made = { id: created.id, knownIds: present.map(({ id }) => id), requests: requests.all };
  return warnOfDuplicates(begun, made, () =>
    settleResource(begun.ctx, resource, created.id, inputs, created),
  );
}

/** Sends the create until the service has answered with an id, or has certainly made nothing. */
async function sendCreate(
  creation: Creation,
  pending: PendingCreate | undefined,
  requests: SentRequests,
  present: readonly ObjectCandidate[],
): Promise<CreationResult<Values, Values>> {
  const { runtime, resource, inputs } = creation;
  const beganAtMs = runtime.clock.now();
  const { ctx } = adjustCreation(creation, { onWrite: requests.onWrite });
  // After an unclear outcome, `findResult` looks for the object before the request is sent again.
  const sending = resource.find === undefined ? ctx : ctx.within({ ...ctx, sendsOnce: true });
  try {
    return await writeOnce(ctx, {
      send: () =>
        resource.create(sending, inputs).catch(async (error: unknown) => {
          // A gateway may have sent the request twice: then this is the refusal of the second one, whatever its text.
          const mayBeOfSecond = isOnlyIdentity(resource) ? saysThatItExists(error) : isRefusal(error);
          if (!mayBeOfSecond) throw error;
          const made = await findMade(creation, requests, present, beganAtMs).catch(() => undefined);
          if (made === undefined) throw error;
          return made;
        }),
      findResult: () => {
        requests.markUnclear();
        return findMade(creation, requests, present, beganAtMs);
      },
      isPatient: !isRepeatable(resource, inputs),
    });
  } catch (error) {
    // A request may have been carried out although the step failed. The next run looks for its object.
    if (requests.mayHaveActed(error)) pending?.leaveSent(requests.all);
    else pending?.forget();
    throw error;
  }
}

/** After an unclear outcome: the new object that has everything that was sent. */
async function findMade(
  creation: Creation,
  requests: SentRequests,
  present: readonly ObjectCandidate[],
  beganAtMs: number,
): Promise<CreationResult<Values, Values> | undefined> {
  const { runtime, resource, inputs } = creation;
  // Creates that look at the same time share one listing.
  const looking = adjustCreation(creation, { shared: runtime.shared.fromNow() });
  const found = await findCreated(looking, {
    sent: inputs,
    withheld: [],
    knownIds: present.map(({ id }) => id),
    requests: [...requests.all],
    // This listing comes after every request, so an object in it can be the work of any of them.
    openMs: Infinity,
  });
  const made = requireProven(resource, found, beganAtMs);
  return made && { id: made.id, ...made.observed };
}
