import { fieldOf, isOptional } from "../define/markers";
import type { AnyResource, CheckFailure } from "../define/resource";
import { allowsDuplicates } from "./identify";
import { describeOwner, ownerOf } from "./program-owner";
import type { Values } from "./state";
import { hasUnknown } from "../define/unknown";

/** How the resources of one program name their objects on the service, as far as this run has seen. */
export class ProgramNames {
  readonly #owners = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Another resource of the program whose object has the same name. */
  take(owner: string, name: string): string | undefined {
    const other = this.#owners.get(name);
    if (other !== undefined && other !== owner && this.#names.get(other) === name) return other;
    this.#owners.set(name, owner);
    this.#names.set(owner, name);
    return undefined;
  }
}

/** Two resources of one name would become one object, or two that only one was meant to be. */
export function sameNameFailures(names: ProgramNames, resource: AnyResource, inputs: Values): CheckFailure[] {
  const { uniqueBy } = resource;
  const owner = ownerOf(inputs);
  if (uniqueBy === undefined || owner === "" || allowsDuplicates(resource, inputs)) return [];
  // Where one of several inputs names the object, the others are not given.
  const isAlternative = (name: string): boolean => {
    const field = fieldOf(resource.inputs, name);
    return field === undefined || (isOptional(field) && inputs[name] === undefined);
  };
  const naming = ["projectRef", ...uniqueBy].filter((name) => !isAlternative(name));
  const values = naming.map((name) => inputs[name]);
  const isNamed = uniqueBy.length === 0 || uniqueBy.some((name) => naming.includes(name));
  if (!isNamed || values.some((value) => value === undefined || hasUnknown(value))) return [];
  const other = names.take(owner, JSON.stringify([resource.type, naming, ...values]));
  if (other === undefined) return [];
  const path = naming.at(-1) ?? "";
  const equal = naming.map((name) => `\`${name}\``).join(" and ");
  const reason =
    `${describeOwner(other)} declares the same ${resource.type}, with equal ${equal}: both would be one object on the service. ` +
    "Nothing was created for this one. Take one of the two out of the program, or declare another one.";
  return [{ path, reason }];
}
