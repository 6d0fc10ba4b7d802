import type { Values } from "../state";

/** Which resource of which program this is: a URN, or what the dynamic classes know of it, `<organization>/<project>/<stack>/<name>`. */
export const OWNER = "__owner";

/** "" where inputs or state do not tell. */
export function ownerOf(values: Values): string {
  const owner = values[OWNER];
  return typeof owner === "string" ? owner : "";
}

/** The stack, with its project, of the resource whose inputs or state these are; undefined where they do not tell. */
export function stackOf(values: Values): string | undefined {
  const owner = ownerOf(values);
  if (owner === "") return undefined;
  return isUrn(owner) ? owner.split("::").slice(0, 2).join("::") : owner.split("/").slice(0, 3).join("/");
}

export function isUrn(owner: string): boolean {
  return owner.startsWith("urn:pulumi:");
}

/** Within a message: the resource as its user knows it. */
export function describeOwner(owner: string): string {
  if (owner === "") return "another resource";
  if (isUrn(owner)) return owner;
  const { project, stack, name } = partsOf(owner);
  return `the resource \`${name}\` of ${project}/${stack}`;
}

/** The URN of the resource, whose own type is `type`; undefined where its owner is not known. */
export function urnOf(owner: string, type: string): string | undefined {
  if (owner === "") return undefined;
  if (isUrn(owner)) return owner;
  const { project, stack, name } = partsOf(owner);
  const below = name.slice(0, name.lastIndexOf("$") + 1);
  return `urn:pulumi:${stack}::${project}::${below}pulumi-nodejs:dynamic/management:${type}::${name.slice(below.length)}`;
}

/** Of what the dynamic classes know; the name has the types of its parents before it, as in a URN. */
function partsOf(owner: string): { readonly project: string; readonly stack: string; readonly name: string } {
  const [, project = "", stack = "", ...rest] = owner.split("/");
  return { project, stack, name: rest.join("/") };
}
