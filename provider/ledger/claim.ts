import { listMarkedFields } from "../define/markers";
import type { AnyResource } from "../define/resource";
import { readMarks } from "../define/state-marks";
import { pick, type Values } from "../define/values";
import { readOwner, stackOf } from "./owner";

/**
 * Which resource of which program has, or is to have, which object of the service. It is built once for each request of the
 * engine, from inputs or a state, and passed to whatever asks whose an object is.
 */
export interface Claim {
  /** Of the resource, such as `ApiKey`. */
  readonly type: string;
  /** The resource within its program (`owner.ts`); `""` where that is not known, and then nothing of it is kept. */
  readonly owner: string;
  /** The owner's stack, with its project. */
  readonly stack: string | undefined;
  /** What the object is part of; `""` where that is not known. */
  readonly parent: string;
  /** The parent within which the object's id is unique; `""` where it is unique everywhere. */
  readonly scope: string;
  /** The object's id; undefined before it has one. */
  readonly id: string | undefined;
  /** The record of the object that the state is; `""` where the state has none. */
  readonly record: string;
  /** Whether several resources may each manage a part of the object. */
  readonly isShared: boolean;
}

/** A claim to an object that has an id. */
export interface ObjectClaim extends Claim {
  readonly id: string;
}

/** An object of the service, whichever resource has it. */
export type ObjectKey = Pick<ObjectClaim, "type" | "scope" | "id">;

/** A text that no other object has. */
export function formatObjectKey({ type, scope, id }: ObjectKey): string {
  return JSON.stringify([type, scope, id]);
}

/** By `values`, inputs or a state; `owner` is in them where it is not given. */
export function createClaim(resource: AnyResource, values: Values, owner = readOwner(values)): Claim {
  return {
    type: resource.type,
    owner,
    stack: stackOf(owner),
    parent: joinValues(values, parentInputs(resource)),
    scope: joinValues(values, scopeInputs(resource)),
    id: undefined,
    record: readMarks(values).record,
    isShared: resource.shares !== undefined,
  };
}

export function withId(claim: Claim, id: string): ObjectClaim {
  return { ...claim, id };
}

/** The inputs that name the object which the resource's object is part of. */
export function parentInputs(resource: AnyResource): string[] {
  return listMarkedFields(resource.inputs).flatMap(([name, , { parent }]) => (parent === true ? [name] : []));
}

/**
 * The parents that an import id names: within them the id is unique. Where there is no import id, what the user named is unique
 * within all of its parents.
 */
function scopeInputs(resource: AnyResource): string[] {
  const { importId, uniqueBy = [] } = resource;
  const isNamed = importId.refusal !== undefined && uniqueBy.length > 0;
  return parentInputs(resource).filter((name) => isNamed || importId.format.includes(`<${name}>`));
}

function joinValues(values: Values, names: readonly string[]): string {
  return Object.values(pick(values, names))
    .filter((value) => typeof value === "string")
    .join("/");
}
