import type { AnyResource } from "../../define/resource";
import { InitializationError } from "./errors";
import type { ObjectOwner } from "../../ledger/object-owners";
import { objectKey, scopeOf, describeOwner, ownerOf } from "../../ledger/identity";
import type { Runtime } from "./runtime";
import { pick, RECORD, readRecordId, type Values } from "./state";
import type { Made } from "./settle";
import { ADOPTED } from "./adopted";
import { SERVICE, withServiceAddress } from "./service-address";

/**
 * Marks what was made or taken over, settled or not, as this resource's: by a record that is later than all before.
 */
export async function owning(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
  work: () => Promise<Made>,
): Promise<Made> {
  try {
    return asOwned(runtime, resource, inputs, await work());
  } catch (error) {
    if (!(error instanceof InitializationError)) throw error;
    const { state } = asOwned(runtime, resource, inputs, error);
    throw new InitializationError(error.id, state, error.cause);
  }
}

function asOwned(runtime: Runtime, resource: AnyResource, inputs: Values, made: Made): Made {
  const object = objectKey(resource, made.id, inputs);
  const objectOwner = { owner: ownerOf(inputs), shared: sharedBy(resource, made.state) };
  const record = runtime.owners.add(object, objectOwner, nowMs(runtime));
  return { ...made, state: withServiceAddress(runtime, { ...made.state, [RECORD]: record }) };
}

/** The state of what is imported: whoever had it before, Pulumi's record of it is the latest once the state is kept. */
export function asImported(runtime: Runtime, resource: AnyResource, { id, state }: Recorded): Values {
  const record = runtime.owners.nextRecord(objectKey(resource, id, state), nowMs(runtime));
  return withServiceAddress(runtime, { ...state, [RECORD]: record });
}

/** The record in a state, that the object existed before, and where, stay with it, whatever else changes. */
export function keepMarks(state: Values, next: Values): Values {
  return { ...next, ...pick(state, [RECORD, ADOPTED, SERVICE]) };
}

interface Recorded {
  readonly id: string;
  readonly state: Values;
}

/** The program declares the object, by the record in this state. */
export function declareOwned(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: Recorded,
  inputs: Values,
): void {
  const objectOwner: ObjectOwner = {
    owner: ownerOf({ ...state, ...inputs }),
    record: readRecordId(state),
    shared: sharedBy(resource, state),
  };
  runtime.owners.declared(objectKey(resource, id, state), objectOwner, resource.shares !== undefined);
}

/** Resources that have the object in place of, or beside, the one whose state this is. */
export function otherOwners(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: Recorded,
): readonly ObjectOwner[] {
  const object = objectKey(resource, id, state);
  return runtime.owners.others(object, readRecordId(state), resource.shares !== undefined);
}

/** Those who had the object of a create whose id is known before: one that each project has once. */
export function ownersBefore(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
): readonly ObjectOwner[] {
  const id = scopeOf(resource, inputs);
  return resource.shares === undefined || id === ""
    ? []
    : runtime.owners.all(objectKey(resource, id, inputs));
}

/** The same without this resource itself, a run of which died before Pulumi knew that it had the object. */
export function otherOwnersBefore(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
): readonly ObjectOwner[] {
  return ownersBefore(runtime, resource, inputs).filter(({ owner }) => owner !== ownerOf(inputs));
}

/** The resource of this state has the object no longer, others have. */
export function release(runtime: Runtime, resource: AnyResource, { id, state }: Recorded): void {
  runtime.owners.remove(objectKey(resource, id, state), readRecordId(state));
}

/**
 * Throws where another resource of the program was refused this object in this run: the run goes on after errors, and the
 * object is meant to be that resource's from now on.
 */
export function refuseDeleteOfWanted(runtime: Runtime, resource: AnyResource, { id, state }: Recorded): void {
  const owner = runtime.owners.refusedTo(objectKey(resource, id, state));
  if (owner === undefined || owner === ownerOf(state)) return;
  throw new Error(
    `The ${resource.type} ${id} was not deleted: in this run the create of ${describeOwner(owner)} failed because it exists, so it may be meant for that resource. ` +
      "Nothing is lost. Follow the error of that resource or remove that resource from the program, then run again.",
  );
}

function nowMs(runtime: Runtime): number {
  return runtime.client().serviceTimeMs() ?? runtime.clock.now();
}

function sharedBy(resource: AnyResource, state: Values): Values {
  return resource.shares?.(state) ?? {};
}
