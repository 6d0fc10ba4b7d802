import { InvalidInputError, isAmbiguous, isRefusal } from "../client/errors";
import type { Context } from "../define/context";
import type { AnyResource, Candidate, Created } from "../define/resource";
import { alreadyThere, theOnlyOne } from "./candidates";
import { holdersBefore, holding } from "./holding";
import { allowsDuplicates, sentBy, tellingOutputs } from "./identify";
import { journalSubject } from "./journal-subject";
import type { OpenCreate } from "./journal/journal";
import { scopeOf } from "./parent";
import { findMadeBy, type Creation } from "./recognise";
import { resumeInterrupted } from "./resume";
import { contextFor, type Runtime, type StepOptions } from "./runtime";
import type { Values } from "./state";
import { settleResource, takeOver, type Made } from "./take-over";
import { writeOnce } from "../converge/write-once";

export type { Made };

/** Creates what is declared, or takes over what `adopt`, `adoptId` or an interrupted run points to; never a second one. */
export function createResource(runtime: Runtime, resource: AnyResource, inputs: Values): Promise<Made> {
  return runtime.shared.during(() =>
    holding(runtime, resource, inputs, () => makeOrTakeOver(runtime, resource, inputs)),
  );
}

async function makeOrTakeOver(runtime: Runtime, resource: AnyResource, inputs: Values): Promise<Made> {
  let open: OpenCreate | undefined;
  // A create that is sent again after an unclear outcome knows what the first one had found.
  const kept: Values = {};
  const before = holdersBefore(runtime, resource, inputs);
  const options: StepOptions = {
    onWrite: () => open?.writing(runtime.client().serviceTimeMs()),
    keep: (id, outputs) => {
      Object.assign(kept, outputs);
      open?.made(id, outputs);
    },
    kept,
    others: before.map(({ shared }) => shared),
  };
  // What others made since the run first looked is there as well.
  const shared = runtime.shared.fromNow();
  const ctx: Context = { ...contextFor(runtime, resource, "create", inputs, options), shared };
  const { adopt, adoptId } = inputs;
  const subject = journalSubject(runtime, resource, inputs);
  const creation: Creation = { runtime, ctx, resource, inputs, subject, outstanding: [] };
  if (typeof adoptId === "string") return adoptExisting(creation, adoptId);
  const resumed = await resumeInterrupted(creation);
  if (resumed !== undefined) return resumed;

  // A first look also tells the service's time, by which an interrupted create is recognised.
  const looksFirst =
    resource.refusesSecond !== true || adopt === true || runtime.client().serviceTimeMs() === undefined;
  const present = looksFirst ? ((await resource.find?.(ctx, inputs)) ?? []) : [];
  if (adopt === true && present.length > 0) return adoptExisting(creation, theOnlyOne(resource, present).id);
  if (!allowsDuplicates(resource, inputs)) refuseWhatIsInTheWay(creation, present);

  if (subject !== undefined) {
    open = runtime.journal.begin(subject, {
      sent: sentBy(resource, inputs, runtime.redact),
      scope: scopeOf(resource, inputs),
      knownIds: present.map(({ id }) => id),
      serviceTimeMs: runtime.client().serviceTimeMs(),
    });
  }
  return createNew(creation, present, open);
}

async function createNew(
  creation: Creation,
  present: readonly Candidate[],
  open: OpenCreate | undefined,
): Promise<Made> {
  const { runtime, ctx, resource, inputs } = creation;
  let created: Created<Values, Values>;
  const outcome = { isUnclear: false };
  try {
    created = await writeOnce(ctx, {
      send: () => resource.create(ctx, inputs),
      landed: () => {
        outcome.isUnclear = true;
        return findNew(creation, present, open);
      },
      isPatient: resource.isRepeatable !== true,
    });
  } catch (error) {
    // What may have happened all the same stays in the journal: the next run looks for it.
    if (outcome.isUnclear || isAmbiguous(error)) open?.leave();
    else open?.forget();
    if (resource.refusesSecond === true && isRefusal(error)) {
      // Where the look fails, the refusal says more.
      const found = await resource.find?.(ctx, inputs).catch(() => []);
      refuseWhatIsInTheWay(creation, found ?? []);
    }
    throw error;
  }
  const telling = tellingOutputs(resource, created.outputs ?? {}, runtime.redact);
  open?.made(created.id, { ...open.entry?.outputs, ...telling });
  // Were their requests still to be carried out, it would be this very object that they make.
  for (const leftover of creation.outstanding) leftover.forget();
  return settleResource(ctx, resource, created.id, inputs, created);
}

function refuseWhatIsInTheWay(creation: Creation, present: readonly Candidate[]): void {
  const inTheWay = present.filter(({ isInTheWay }) => isInTheWay !== false);
  if (inTheWay.length > 0) throw alreadyThere(creation, inTheWay);
}

/** After a create with an unclear outcome: the object that was not there before, and is what was sent. */
async function findNew(
  creation: Creation,
  present: readonly Candidate[],
  open: OpenCreate | undefined,
): Promise<Created<Values, Values> | undefined> {
  const { ctx, resource, inputs } = creation;
  ctx.shared.forgetAll();
  const knownIds = present.map(({ id }) => id);
  const found = await findMadeBy(creation, {
    sent: inputs,
    knownIds,
    serviceTime: open?.entry?.serviceTime,
  });
  if (found.length === 0) return undefined;
  const { id, observed } = theOnlyOne(resource, found);
  return { id, ...observed };
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
  return takeOver(ctx, resource, { id, inputs, observed });
}
