import { InvalidInputError, isAmbiguous } from "../../client/errors/errors";
import type { AnyResource, Candidate, Created } from "../../define/resource";
import { namingOwner } from "../missing-owner";
import { alreadyThere, theOnlyOne, theProven } from "../recovery/candidates";
import { holdersBefore, holding } from "../ownership/holding";
import { allowsDuplicates, sentWhole, tellingOutputs } from "../recovery/identify";
import { journalSubject } from "../recovery/journal-subject";
import type { OpenCreate } from "../recovery/journal/journal";
import { scopeOf } from "../ownership/parent";
import { findMadeBy, type Creation } from "../recovery/recognise";
import { withRequiredOutputs } from "./required-outputs";
import { resumeInterrupted } from "../recovery/resume";
import { contextFor, type Runtime, type StepOptions } from "../runtime";
import { SentRequests } from "../recovery/sent-requests";
import type { Values } from "../state";
import { adopt, settleResource, type Made } from "../ownership/take-over";
import { writeOnce } from "../../waiting/write-once";

export type { Made };

/** Creates what is declared, or takes over what `adopt`, `adoptId` or an interrupted run points to; never a second one. */
export function createResource(runtime: Runtime, resource: AnyResource, inputs: Values): Promise<Made> {
  return runtime.shared.during(() =>
    holding(runtime, resource, inputs, async () => {
      const made = await makeOrTakeOver(runtime, resource, inputs).catch(async (error: unknown) => {
        throw await namingOwner(runtime, resource, inputs, error);
      });
      return withRequiredOutputs(runtime, resource, inputs, made);
    }),
  );
}

async function makeOrTakeOver(runtime: Runtime, resource: AnyResource, inputs: Values): Promise<Made> {
  let open: OpenCreate | undefined;
  // A create that is sent again after an unclear outcome knows what the first one had found.
  const kept: Values = {};
  const before = holdersBefore(runtime, resource, inputs);
  const requests = new SentRequests(() => runtime.client().serviceTimeMs());
  const options: StepOptions = {
    // What others made since the run first looked is there as well.
    shared: runtime.shared.fromNow(),
    onWrite: requests.onWrite,
    keep: (id, outputs) => {
      Object.assign(kept, outputs);
      open?.made(id, outputs);
    },
    kept,
    others: before.map(({ shared }) => shared),
  };
  const ctx = contextFor(runtime, resource, "create", inputs, options);
  const { adopt, adoptId } = inputs;
  const subject = journalSubject(runtime, resource, inputs);
  const creation: Creation = { runtime, ctx, resource, inputs, subject, requests, outstanding: [] };
  if (typeof adoptId === "string") return adoptExisting(creation, adoptId);
  const resumed = await resumeInterrupted(creation);
  if (resumed !== undefined) return resumed;

  // What this listing shows was there before: without it, nothing that a later one shows is proven to be new.
  const present = (await resource.find?.(ctx, inputs)) ?? [];
  if (adopt === true && present.length > 0) return adoptExisting(creation, theOnlyOne(resource, present).id);
  if (!allowsDuplicates(resource, inputs)) refuseWhatIsInTheWay(creation, present);

  if (subject !== undefined) {
    open = runtime.journal.begin(subject, {
      ...sentWhole(resource, inputs, runtime.redact),
      scope: scopeOf(resource, inputs),
      knownIds: present.map(({ id }) => id),
    });
  }
  requests.recordIn(open ?? { sending: () => undefined });
  return createNew(creation, present, open);
}

async function createNew(
  creation: Creation,
  present: readonly Candidate[],
  open: OpenCreate | undefined,
): Promise<Made> {
  const { runtime, ctx, resource, inputs, requests } = creation;
  const beganAtMs = runtime.clock.now();
  let created: Created<Values, Values>;
  const outcome = { isUnclear: false };
  // Between an unclear outcome and the next attempt, there is a look at what came of it.
  const making = resource.find === undefined ? ctx : ctx.within({ ...ctx, sendsOnce: true });
  try {
    created = await writeOnce(ctx, {
      send: () => resource.create(making, inputs),
      landed: () => {
        outcome.isUnclear = true;
        return findNew(creation, present, beganAtMs);
      },
      isPatient: resource.isRepeatable !== true,
    });
  } catch (error) {
    // What may have happened all the same stays in the journal: the next run looks for it.
    const isUnclear = requests.all.length > 0 && (outcome.isUnclear || isAmbiguous(error));
    if (isUnclear) open?.leave(requests.all);
    else open?.forget();
    throw error;
  }
  const telling = tellingOutputs(resource, created.outputs ?? {}, runtime.redact);
  open?.answered(created.id, { ...open.entry?.outputs, ...telling });
  // From now on the id is proof enough.
  requests.recordIn({ sending: () => undefined });
  // Were their requests still to be carried out, it would be this very object that they make.
  for (const leftover of creation.outstanding) leftover.forget();
  return settleResource(ctx, resource, created.id, inputs, created);
}

function refuseWhatIsInTheWay(creation: Creation, present: readonly Candidate[]): void {
  const inTheWay = present.filter(({ conflicts }) => conflicts !== false);
  if (inTheWay.length > 0) throw alreadyThere(creation, inTheWay);
}

/** After a create with an unclear outcome: the object that was not there before, and is what was sent. */
async function findNew(
  creation: Creation,
  present: readonly Candidate[],
  beganAtMs: number,
): Promise<Created<Values, Values> | undefined> {
  const { runtime, ctx, resource, inputs, requests } = creation;
  // Those who look at the same time look at one listing.
  const looking = { ...creation, ctx: { ...ctx, shared: runtime.shared.fromNow() } };
  const found = await findMadeBy(looking, {
    sent: inputs,
    withheld: [],
    knownIds: present.map(({ id }) => id),
    requests: [...requests.all],
    // The look itself is the end of a request without an answer.
    openMs: Infinity,
  });
  const made = theProven(resource, found, beganAtMs);
  return made && { id: made.id, ...made.observed };
}

async function adoptExisting(creation: Creation, id: string): Promise<Made> {
  const { runtime, ctx, resource, inputs, subject } = creation;
  const observed = await resource.read(ctx, { id, state: inputs });
  if (observed === undefined) {
    throw new InvalidInputError(
      "adoptId",
      `There is no ${resource.type} with the identifier ${id} to take over.`,
    );
  }
  // The user has told what nothing proved.
  for (const leftover of subject === undefined ? [] : runtime.journal.leftovers(subject)) {
    if (leftover.entry?.id === undefined && !leftover.isRunning()) leftover.forget();
  }
  return adopt(ctx, resource, { id, inputs, observed });
}
