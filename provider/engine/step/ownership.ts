import type { AnyResource } from "../../define/resource";
import { writeMarks } from "../../define/state-marks";
import type { Values } from "../../define/values";
import { createClaim, withId, type Claim, type ObjectClaim } from "../../ledger/claim";
import { describeOwner } from "../../ledger/owner";
import type { OwnerRecord } from "../../ledger/owner-records";
import { InitializationError } from "./errors";
import type { Runtime } from "./runtime";
import type { SettledResource } from "./settle";

/** Records what `work` makes or takes over, settled or not, as the claim's: by a record that is later than all before. */
export async function recordOwnership(
  runtime: Runtime,
  resource: AnyResource,
  claim: Claim,
  work: () => Promise<SettledResource>,
): Promise<SettledResource> {
  try {
    return recordOwner(runtime, resource, claim, await work());
  } catch (error) {
    if (!(error instanceof InitializationError)) throw error;
    const { state } = recordOwner(runtime, resource, claim, error);
    throw new InitializationError(error.id, state, error.cause);
  }
}

function recordOwner(
  runtime: Runtime,
  resource: AnyResource,
  claim: Claim,
  made: SettledResource,
): SettledResource {
  const shared = listShared(resource, made.state);
  const record = runtime.ledger.owners.add(withId(claim, made.id), shared, readServiceTime(runtime));
  return { ...made, state: writeMarks(made.state, { record, service: runtime.baseUrl() }) };
}

/** The state of what is imported: whoever had it before, Pulumi's record of it is the latest once the state is kept. */
export function markImported(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: SettledResource,
): Values {
  const object = withId(createClaim(resource, state), id);
  const record = runtime.ledger.owners.nextRecord(object, readServiceTime(runtime));
  return writeMarks(state, { record, service: runtime.baseUrl() });
}

/** The program declares the object, as this state has it. */
export function declareOwner(
  { ledger }: Runtime,
  resource: AnyResource,
  claim: ObjectClaim,
  state: Values,
): void {
  ledger.owners.declare(claim, listShared(resource, state));
}

/** Those who had the object of a create whose id is known before: one that each project has once. */
export function listSharers({ ledger }: Runtime, claim: Claim): readonly OwnerRecord[] {
  const { isShared, scope } = claim;
  return !isShared || scope === "" ? [] : ledger.owners.list(withId(claim, scope));
}

/** The same without this resource itself, a run of which died before Pulumi knew that it had the object. */
export function listOtherSharers(runtime: Runtime, claim: Claim): readonly OwnerRecord[] {
  return listSharers(runtime, claim).filter(({ owner }) => owner !== claim.owner);
}

/**
 * Throws where another resource of the program was refused this object in this run: the run goes on after errors, and the
 * object is meant to be that resource's from now on.
 */
export function refuseDeleteOfWanted({ program }: Runtime, claim: ObjectClaim): void {
  const owner = program.findRefusal(claim);
  if (owner === undefined || owner === claim.owner) return;
  throw new Error(
    `The ${claim.type} ${claim.id} was not deleted: in this run the create of ${describeOwner(owner)} failed because it exists, so it may be meant for that resource. ` +
      "Nothing is lost. Follow the error of that resource or remove that resource from the program, then run again.",
  );
}

function readServiceTime(runtime: Runtime): number {
  return runtime.client().serviceTimeMs() ?? runtime.clock.now();
}

/** What of the state other resources of the same object must know. */
function listShared(resource: AnyResource, state: Values): Values {
  return resource.shares?.(state) ?? {};
}
