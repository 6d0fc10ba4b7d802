import { isRefusal, saysThatItExists } from "../../client/errors/errors";
import type { AnyResource, Candidate, Created } from "../../define/resource";
import { writeOnce } from "../../waiting/write-once";
import { namingOwner } from "../step/errors";
import { recordOwnership } from "../step/ownership";
import { createClaim, type Claim } from "../../ledger/claim";
import { settleResource, type Made } from "../step/settle";
import { trackRequests, adjustCreation, beginCreation, type Creation } from "./creation";
import { findCreated, requireProven } from "./find-created";
import { allowsDuplicates, pickIdentifyingOutputs, isOnlyIdentity, pickSentInputs } from "./fingerprint";
import type { PendingCreate } from "../../ledger/pending-create";
import { resumeInterrupted } from "./resume";
import type { SentRequests } from "../../ledger/sent-requests";
import type { Runtime } from "../step/runtime";
import type { Values } from "../../define/values";
import { adoptExisting, refuseExisting, requireOnlyCandidate } from "./existing";
import { withRequiredOutputs } from "./required-outputs";

export type { Made };

/** Creates what is declared, or takes over what `adopt`, `adoptId` or an interrupted run points to; never a second one. */
export function createResource(runtime: Runtime, resource: AnyResource, inputs: Values): Promise<Made> {
  const claim = createClaim(resource, inputs);
  runtime.ledger.requireOwnFolder();
  runtime.program.forgetCheck(resource.type, claim.owner);
  return recordOwnership(runtime, resource, claim, async () => {
    const made = await adoptResumeOrMake(runtime, resource, inputs, claim).catch(async (error: unknown) => {
      throw await namingOwner(runtime, resource, inputs, error);
    });
    runtime.program.recordInheritance(resource, made.state);
    return withRequiredOutputs(runtime, resource, inputs, made);
  });
}

/** The states that are named here are those of a pending create (`ledger/pending-create.ts`). */
async function adoptResumeOrMake(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
  claim: Claim,
): Promise<Made> {
  const creation = beginCreation(runtime, resource, inputs, claim);
  const { adopt, adoptId } = inputs;

  // The user names the object.
  if (typeof adoptId === "string") return adoptExisting(creation, adoptId);

  // An earlier create of this resource is proven to have made it.
  const earlier = await resumeInterrupted(creation);
  if (earlier.made !== undefined) return earlier.made;

  // What this listing shows existed before: without it, nothing that a later one shows is proven to be new.
  const present = (await resource.find?.(creation.ctx, inputs)) ?? [];
  if (adopt === true && present.length > 0)
    return adoptExisting(creation, requireOnlyCandidate(resource, present).id);
  if (!allowsDuplicates(resource, inputs)) refuseExisting(creation, present);

  // Begun. What its handlers keep is in its record from now on.
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

  // Sent, with each request in its record before it leaves, and then answered; a failure leaves it sent or forgets it.
  const created = await sendCreate(begun, pending, present);
  const identifying = pickIdentifyingOutputs(resource, created.outputs ?? {}, runtime.redact);
  pending?.recordAnswer(created.id, { ...pending.record?.outputs, ...identifying });

  // Were the requests of those still to be carried out, it would be this very object that they make.
  for (const undecided of earlier.undecided) undecided.forget();

  // The id is proof enough from now on: no further request is recorded. The engine's next call with it is the end.
  return settleResource(begun.ctx, resource, created.id, inputs, created);
}

/** Sends the create until the service has answered with an id, or has surely made nothing. */
async function sendCreate(
  creation: Creation,
  pending: PendingCreate | undefined,
  present: readonly Candidate[],
): Promise<Created<Values, Values>> {
  const { runtime, resource, inputs } = creation;
  const beganAtMs = runtime.clock.now();
  const requests = trackRequests(creation, (all) => pending?.recordRequests(all));
  const { ctx } = adjustCreation(creation, { onWrite: requests.onWrite });
  // Between an unclear outcome and the next attempt, there is a look at what came of it.
  const sending = resource.find === undefined ? ctx : ctx.within({ ...ctx, sendsOnce: true });
  try {
    return await writeOnce(ctx, {
      send: () =>
        resource.create(sending, inputs).catch(async (error: unknown) => {
          // Where a gateway repeated the request, this is the refusal of the second one, in words of any kind.
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
      isPatient: resource.isRepeatable !== true,
    });
  } catch (error) {
    // What may have happened all the same stays in the ledger: the next run looks for it.
    if (requests.mayHaveActed(error)) pending?.leaveSent(requests.all);
    else pending?.forget();
    throw error;
  }
}

/** After an unclear outcome: the object that was not there before, and is what was sent. */
async function findMade(
  creation: Creation,
  requests: SentRequests,
  present: readonly Candidate[],
  beganAtMs: number,
): Promise<Created<Values, Values> | undefined> {
  const { runtime, resource, inputs } = creation;
  // Those who look at the same time look at one listing.
  const looking = adjustCreation(creation, { shared: runtime.shared.fromNow() });
  const found = await findCreated(looking, {
    sent: inputs,
    withheld: [],
    knownIds: present.map(({ id }) => id),
    requests: [...requests.all],
    // The look itself is the end of a request without an answer.
    openMs: Infinity,
  });
  const made = requireProven(resource, found, beganAtMs);
  return made && { id: made.id, ...made.observed };
}
