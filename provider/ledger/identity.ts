import { markedFields } from "../define/markers";
import type { AnyResource } from "../define/resource";
import { pick, type Values } from "../engine/step/state";

/** The inputs that name the object which the resource's object is part of. */
export function parentInputs(resource: AnyResource): string[] {
  return markedFields(resource.inputs).flatMap(([name, , { parent }]) => (parent === true ? [name] : []));
}

/**
 * The parent within which the object's id is unique; `""` where it is unique everywhere. An import id then names none;
 * where there is no import id, what the user named is unique within its parent.
 */
export function scopeOf(resource: AnyResource, values: Values): string {
  const { importId, uniqueBy = [] } = resource;
  const isNamed = importId.refusal !== undefined && uniqueBy.length > 0;
  return joined(
    values,
    parentInputs(resource).filter((name) => isNamed || importId.format.includes(`<${name}>`)),
  );
}

/** What the resource's object is part of, wherever its id is unique; `""` where that is not known. */
export function parentOf(resource: AnyResource, values: Values): string {
  return joined(values, parentInputs(resource));
}

function joined(values: Values, names: readonly string[]): string {
  return Object.values(pick(values, names))
    .filter((value) => typeof value === "string")
    .join("/");
}

/** Which resource of which program this is: a URN, or what the dynamic classes know of it, `<organization>/<project>/<stack>/<name>`. */
export const OWNER = "__owner";

/** "" where inputs or state have none. */
export function ownerOf(values: Values): string {
  const owner = values[OWNER];
  return typeof owner === "string" ? owner : "";
}

/** The stack, with its project, of the resource whose inputs or state these are; undefined where they do not say. */
export function stackOf(values: Values): string | undefined {
  const owner = ownerOf(values);
  if (owner === "") return undefined;
  return isUrn(owner) ? owner.split("::").slice(0, 2).join("::") : owner.split("/").slice(0, 3).join("/");
}

export function isUrn(owner: string): boolean {
  return owner.startsWith("urn:pulumi:");
}

/** The name that the program gave to the resource; "" where its owner is not known. */
export function logicalName(owner: string): string {
  return isUrn(owner) ? owner.split("::").slice(3).join("::") : splitOwner(owner).name;
}

/** Within a message: the resource as its user knows it. */
export function describeOwner(owner: string): string {
  if (owner === "") return "another resource";
  if (isUrn(owner)) return owner;
  const { project, stack, parents, name } = splitOwner(owner);
  return `the resource \`${parents}${name}\` of ${project}/${stack}`;
}

/** The URN of the resource, whose own type is `type`; undefined where its owner is not known. */
export function urnOf(owner: string, type: string): string | undefined {
  if (owner === "") return undefined;
  if (isUrn(owner)) return owner;
  const { project, stack, parents, name } = splitOwner(owner);
  return `urn:pulumi:${stack}::${project}::${parents}pulumi-nodejs:dynamic/management:${type}::${name}`;
}

/** Of what the dynamic classes know; `parents` are the types of its parents, each with a `$` after it, as in a URN. */
function splitOwner(owner: string): {
  readonly project: string;
  readonly stack: string;
  readonly parents: string;
  readonly name: string;
} {
  const [, project = "", stack = "", ...rest] = owner.split("/");
  const named = rest.join("/");
  const start = named.lastIndexOf("$") + 1;
  return { project, stack, parents: named.slice(0, start), name: named.slice(start) };
}

/** An object of the service, whichever resource it is of. */
export interface ObjectKey {
  readonly type: string;
  /** The parent within which its id is unique: some ids are names, which are anew in each project. */
  readonly scope: string;
  readonly id: string;
}

export function objectKey(resource: AnyResource, id: string, values: Values): ObjectKey {
  return { type: resource.type, scope: scopeOf(resource, values), id };
}
