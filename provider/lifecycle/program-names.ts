import { fieldOf, isOptional, traitsOf } from "../define/markers";
import type { AnyResource, CheckFailure, Managed } from "../define/resource";
import { allowsDuplicates } from "./identify";
import { parentInputs, scopeOf } from "./parent";
import { describeOwner, ownerOf } from "./program-owner";
import type { Values } from "./state";
import { hasUnknown } from "../define/unknown";

/** A resource that manages a collection of a project, or a part of it. */
interface Manager extends Managed {
  readonly type: string;
  /** What it is part of. */
  readonly scope: string;
}

interface Rival {
  readonly owner: string;
  readonly type: string;
}

/** How the resources of one program name their objects on the service, and what they manage, as far as this run has seen. */
export class ProgramNames {
  readonly #owners = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #managers = new Map<string, Manager>();

  /** Another resource of the program whose object has the same name. */
  take(owner: string, name: string): string | undefined {
    const other = this.#owners.get(name);
    if (other !== undefined && other !== owner && this.#names.get(other) === name) return other;
    this.#owners.set(name, owner);
    this.#names.set(owner, name);
    return undefined;
  }

  /** Another resource of the program, of another type, which manages what this one does; one of them manages the whole. */
  rivalOf(owner: string, manager: Manager): Rival | undefined {
    const rival = [...this.#managers].find(
      ([other, { type, scope, collection, extent }]) =>
        other !== owner &&
        type !== manager.type &&
        scope === manager.scope &&
        collection === manager.collection &&
        (extent === "whole" || manager.extent === "whole"),
    );
    return rival && { owner: rival[0], type: rival[1].type };
  }

  /** The resource is declared: what it manages, others cannot. */
  manage(owner: string, manager: Manager): void {
    this.#managers.set(owner, manager);
  }
}

/** What a resource cannot be beside others of its program. */
export function programFailures(names: ProgramNames, resource: AnyResource, inputs: Values): CheckFailure[] {
  return [...sameNameFailures(names, resource, inputs), ...rivalFailures(names, resource, inputs)];
}

/** Two resources of one name would become one object, or two that only one was meant to be. */
function sameNameFailures(names: ProgramNames, resource: AnyResource, inputs: Values): CheckFailure[] {
  const { uniqueBy } = resource;
  const owner = ownerOf(inputs);
  if (uniqueBy === undefined || owner === "" || allowsDuplicates(resource, inputs)) return [];
  // Where one of several inputs names the object, the others are not given.
  const isAlternative = (name: string): boolean => {
    const field = fieldOf(resource.inputs, name);
    return field === undefined || (isOptional(field) && inputs[name] === undefined);
  };
  const naming = [...new Set([...parentInputs(resource), ...uniqueBy])].filter(
    (name) => !isAlternative(name),
  );
  const isNamed = uniqueBy.length === 0 || uniqueBy.some((name) => naming.includes(name));
  const isKnown = naming.every((name) => inputs[name] !== undefined && !hasUnknown(inputs[name]));
  if (!isNamed || !isKnown) return [];
  const values = naming.map((name) => inOneSpelling(resource, name, inputs[name]));
  const other = names.take(owner, JSON.stringify([resource.type, naming, ...values]));
  if (other === undefined) return [];
  const path = naming.at(-1) ?? "";
  const equal = naming.map((name) => `\`${name}\``).join(" and ");
  const reason =
    `${describeOwner(other)} declares the same ${resource.type}, with equal ${equal}: both would be one object on the service. ` +
    "Nothing was created for this one. Take one of the two out of the program, or declare another one.";
  return [{ path, reason }];
}

function inOneSpelling(resource: AnyResource, name: string, value: unknown): unknown {
  const field = fieldOf(resource.inputs, name);
  return field === undefined ? value : (traitsOf(field).normalize?.(value) ?? value);
}

/** What manages the whole of a collection removes what others add to it. */
function rivalFailures(names: ProgramNames, resource: AnyResource, inputs: Values): CheckFailure[] {
  const manager = managerIn(resource, inputs);
  if (manager === undefined) return [];
  const owner = ownerOf(inputs);
  const rival = names.rivalOf(owner, manager);
  if (rival === undefined) {
    names.manage(owner, manager);
    return [];
  }
  const whole = manager.extent === "whole" ? resource.type : rival.type;
  const reason =
    `${describeOwner(rival.owner)} (${rival.type}) manages the ${manager.collection} of the same project: ` +
    `${whole} has them as a whole and removes what others add. Nothing was changed. ` +
    `Declare everything in the ${whole}, or take it out of the program.`;
  return [{ path: parentInputs(resource)[0] ?? "", reason }];
}

/** Why a delete leaves everything as it is: another resource of the program manages it from this run on. */
export function leftToRival(names: ProgramNames, resource: AnyResource, state: Values): string | undefined {
  const manager = managerIn(resource, state);
  const rival = manager && names.rivalOf(ownerOf(state), manager);
  if (manager === undefined || rival === undefined) return undefined;
  return (
    `the ${manager.collection} of the project ${manager.scope} stay as they are: ${describeOwner(rival.owner)} (${rival.type}) manages them now. ` +
    "Only the record of this one is taken out of Pulumi's state."
  );
}

function managerIn(resource: AnyResource, values: Values): Manager | undefined {
  const { manages, type } = resource;
  if (manages === undefined || ownerOf(values) === "") return undefined;
  const scope = scopeOf(resource, values);
  return scope === "" || hasUnknown(scope) ? undefined : { ...manages, type, scope };
}
