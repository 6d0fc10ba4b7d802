import type { Values } from "../define/values";

/** Which resource of which program this is: a URN, or what the dynamic classes know of it, `<organization>/<project>/<stack>/<name>`. */
export const OWNER = "__owner";

/** `""` where inputs or state name none. */
export function readOwner(values: Values): string {
  const owner = values[OWNER];
  return typeof owner === "string" ? owner : "";
}

/** The stack, with its project, of an owner; undefined where there is none. */
export function stackOf(owner: string): string | undefined {
  if (owner === "") return undefined;
  return isUrn(owner) ? owner.split("::").slice(0, 2).join("::") : owner.split("/").slice(0, 3).join("/");
}

export function isUrn(owner: string): boolean {
  return owner.startsWith("urn:pulumi:");
}

/** The name that the program gave to the resource; `""` where its owner is not known. */
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

/** Stands in a command for a URN that is not known. */
export const UNKNOWN_URN = "<urn>";

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
