import { ForbiddenError } from "../../client/errors/errors";
import { absenceProblems } from "../../define/problems";
import type { AnyResource, ObjectCandidate } from "../../define/resource";
import type { Values } from "../../define/values";
import {
  readOwnerStateNow,
  readOwnerStateOnce,
  UnprovenAbsenceError,
  type OwnerReads,
  type OwnerState,
} from "../../lookup/owner-state";
import { poll } from "../../waiting/poll";
import { ANSWERS_FOR_OBJECTS, ownerRefOf } from "../absence";
import { adjustCreation, type Creation } from "./creation";
import { isRepeatable } from "./fingerprint";

interface Look {
  readonly present: readonly ObjectCandidate[];
  /** Why that proves nothing, if it does not. */
  readonly doubt: string | undefined;
}

/** How long a create waits for a project that lists nothing to become active. */
const LOOKS_FOR_MS = 60_000;

/**
 * The objects that exist before a create. An empty list proves nothing where the project or branch is not healthy: what it
 * lacks would be made a second time, or overwritten. It is asked for again for a minute, and then refused.
 */
export async function findPresent(creation: Creation): Promise<readonly ObjectCandidate[]> {
  const { ctx, runtime, resource, inputs } = creation;
  const present = (await resource.find?.(ctx, inputs)) ?? [];
  const ref = ownerRefOf(resource, inputs);
  const restsOnNothing = present.length === 0 && ref !== undefined && ctx.hasEmptyAnswer(ref);
  if (!restsOnNothing || !losesWhatIsUnseen(resource, inputs)) return present;
  // Every create of a run may have an empty list, and the state of a project that is active is asked for once.
  const reads: OwnerReads = { api: ctx.api, shared: runtime.shared };
  if (nameDoubt(await readState(readOwnerStateOnce(reads, ref))) === undefined) return present;
  const until = ctx.clock.now() + LOOKS_FOR_MS;
  return poll<Look, readonly ObjectCandidate[]>(ctx, {
    what: `${ref} to become active, as it lists nothing`,
    firstDelayMs: 5_000,
    look: async () => {
      // In this order: a list of before it was active proves nothing.
      const doubt = nameDoubt(await readState(readOwnerStateNow(reads, ref)));
      const { ctx: now } = adjustCreation(creation, { shared: runtime.shared.fromNow() });
      const found = (await resource.find?.(now, inputs)) ?? [];
      return { doubt: found.length === 0 && now.hasEmptyAnswer(ref) ? doubt : undefined, present: found };
    },
    judge: ({ doubt, present: found }) => {
      if (doubt === undefined) return { kind: "done", value: found };
      if (ctx.clock.now() < until) return { kind: "waiting", reason: doubt };
      const { type } = resource;
      const message = absenceProblems.mayExistUnlisted.message({ type, doubt });
      return { kind: "failed", error: new UnprovenAbsenceError(message) };
    },
  });
}

/** Whether a create does harm to an object that it does not see: the service refuses a second one of any other. */
function losesWhatIsUnseen(resource: AnyResource, inputs: Values): boolean {
  return isRepeatable(resource, inputs) || resource.createsDuplicates?.(inputs) === true;
}

/** Undefined where the token may not read it: it may create nevertheless. */
async function readState(reading: Promise<OwnerState>): Promise<OwnerState | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  });
}

/** Why an empty list proves nothing; undefined where it does, or where a create waits or fails by itself. */
function nameDoubt(owner: OwnerState | undefined): string | undefined {
  if (owner?.kind !== "found" || owner.status !== ANSWERS_FOR_OBJECTS) return undefined;
  return `the ${owner.subject} is ${owner.status}`;
}
