import type { InheritedPart } from "../define/context";
import { fieldOf, isOptional, traitsOf } from "../define/markers";
import type { AnyResource, CheckFailure, Inheritance, Managed } from "../define/resource";
import { allowsDuplicates } from "../engine/create/fingerprint";
import { parentInputs, parentOf, describeOwner, ownerOf } from "./identity";
import { isOwnKey, type Values } from "../engine/step/state";
import { hasUnknown } from "../define/unknown";
import { isObject } from "../../spec/is-object";
import { formatCodeList } from "../define/format-code-list";

/** A resource that manages a collection of a project, or a part of it. */
export interface Manager extends Pick<Managed, "collection" | "extent"> {
  readonly type: string;
  /** What it is part of. */
  readonly scope: string;
  /** What of the collection it declares, where that is told by name. */
  readonly names: ReadonlySet<string> | undefined;
}

export interface OtherManager {
  readonly owner: string;
  readonly manager: Manager;
}

/** What the check of a resource was given in this run. */
interface CheckOfRun {
  readonly inputs: string;
  readonly declared: Values;
  /** It was given the inputs that the engine has recorded, and refused none. */
  readonly hadBefore: boolean;
}

/**
 * How the resources of one program name their objects on the service, what they manage, and what of them was checked, as far as
 * this run has seen.
 */
export class ProgramNames {
  readonly #checks = new Map<string, CheckOfRun>();
  readonly #replaceable = new Set<string>();
  readonly #owners = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #managers = new Map<string, Manager>();
  readonly #had = new Map<string, Manager>();
  readonly #inherited = new Map<string, Inheritance>();

  /** Another resource of the program whose object has the same name. */
  take(owner: string, name: string): string | undefined {
    const other = this.#owners.get(name);
    if (other !== undefined && other !== owner && this.#names.get(other) === name) return other;
    this.#owners.set(name, owner);
    this.#names.set(owner, name);
    return undefined;
  }

  /** Other resources of the program that manage something of the same collection. */
  beside(owner: string, manager: Manager): OtherManager[] {
    return [...this.#managers].flatMap(([other, its]) =>
      other !== owner && isOfOneCollection(its, manager) ? [{ owner: other, manager: its }] : [],
    );
  }

  /** What the resource has had until this run, by its state. */
  had(owner: string, manager: Manager): void {
    this.#had.set(owner, manager);
  }

  /** Whether another resource of the program has had the name. */
  isHadBeside(owner: string, manager: Manager, name: string): boolean {
    return [...this.#had].some(
      ([other, its]) => other !== owner && isOfOneCollection(its, manager) && its.names?.has(name) === true,
    );
  }

  /** The program created the project of this reference, which came with things of a collection. */
  inherited(ref: string, inheritance: Inheritance): void {
    this.#inherited.set(ref, inheritance);
  }

  /** What the project came with of what `manager` manages, without what another resource of the program has had. */
  inheritedIn(owner: string, manager: Manager): ReadonlyMap<string, InheritedPart> {
    const { collection, parts = {} } = this.#inherited.get(manager.scope) ?? {};
    if (collection !== manager.collection) return new Map();
    return new Map(Object.entries(parts).filter(([name]) => !this.isHadBeside(owner, manager, name)));
  }

  /** A check of the resource refused none of these inputs; `before` are those that the engine has recorded. */
  checked(type: string, owner: string, inputs: Values, before: Values | undefined): void {
    const check = { inputs: textOf(inputs), declared: inputs, hadBefore: before !== undefined };
    this.#checks.set(JSON.stringify([type, owner]), check);
  }

  /** The check that saw these inputs of the resource last; undefined where none did, as in a refresh. */
  checkOf(type: string, owner: string, inputs: Values): CheckOfRun | undefined {
    const check = this.#checks.get(JSON.stringify([type, owner]));
    return check?.inputs === textOf(inputs) ? check : undefined;
  }

  /** What the program declares of a resource that is yet to be created or updated; undefined where no check saw it. */
  declaredOf(type: string, owner: string): Values | undefined {
    return this.#checks.get(JSON.stringify([type, owner]))?.declared;
  }

  /** What was checked is done: whatever is compared from now on was not. */
  forgetCheck(type: string, owner: string): void {
    this.#checks.delete(JSON.stringify([type, owner]));
  }

  /** By its state, the object of this reference may be replaced with everything in it, or may not. */
  mayBeReplaced(ref: string, mayBe: boolean): void {
    if (mayBe) this.#replaceable.add(ref);
    else this.#replaceable.delete(ref);
  }

  isReplaceable(ref: string): boolean {
    return this.#replaceable.has(ref);
  }

  /** The resource is declared: what it manages, others cannot. */
  manage(owner: string, manager: Manager): void {
    this.#managers.set(owner, manager);
  }
}

function textOf(inputs: Values): string {
  const own = Object.fromEntries(Object.entries(inputs).filter(([name]) => !isOwnKey(name)));
  // The engine keeps no order of keys.
  return JSON.stringify(own, (_key, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

function isOfOneCollection(one: Manager, other: Manager): boolean {
  return one.scope === other.scope && one.collection === other.collection;
}

/** The engine shows the state of a resource: what it manages has been its own until now. */
export function showState(names: ProgramNames, resource: AnyResource, state: Values): void {
  const manager = findManager(resource, state);
  if (manager !== undefined) names.had(ownerOf(state), manager);
  const { protectedBy, idOutput } = resource;
  const ref = state[idOutput ?? ""];
  if (protectedBy !== undefined && typeof ref === "string") {
    names.mayBeReplaced(ref, state[protectedBy] === false);
  }
  showInheritance(names, resource, state);
}

/** By its state, the object of a resource came with things that others of the program may take over. */
export function showInheritance(names: ProgramNames, resource: AnyResource, state: Values): void {
  const ref = state[resource.idOutput ?? ""];
  const inheritance = resource.inherits?.(state);
  if (inheritance !== undefined && typeof ref === "string") names.inherited(ref, inheritance);
}

/** What a resource that is being created may take over of what its project came with. */
export function inheritedBy(
  names: ProgramNames,
  resource: AnyResource,
  values: Values,
): ReadonlyMap<string, InheritedPart> {
  const manager = findManager(resource, values);
  if (manager === undefined) return new Map();
  const elsewhere = namesElsewhere(names, resource, values);
  const inherited = names.inheritedIn(ownerOf(values), manager);
  return new Map([...inherited].filter(([name]) => !elsewhere.has(name)));
}

/** What a resource cannot be beside others of its program. */
export function programFailures(names: ProgramNames, resource: AnyResource, inputs: Values): CheckFailure[] {
  const ofOneName = sameNameFailures(names, resource, inputs);
  return ofOneName.length > 0 ? ofOneName : conflictFailures(names, resource, inputs);
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
    `${describeOwner(other)} declares the same ${resource.type}, with the same ${equal}. Both would be one object on the service. ` +
    `Nothing was created for this one. Remove one of the two from the program, or change its ${equal}.`;
  return [{ path, reason }];
}

function inOneSpelling(resource: AnyResource, name: string, value: unknown): unknown {
  const field = fieldOf(resource.inputs, name);
  return field === undefined ? value : (traitsOf(field).normalize?.(value) ?? value);
}

/** Nothing may stand beside what manages the whole of a collection, and what two declare would be one object. */
function conflictFailures(names: ProgramNames, resource: AnyResource, inputs: Values): CheckFailure[] {
  const manager = findManager(resource, inputs);
  if (manager === undefined) return [];
  const owner = ownerOf(inputs);
  for (const other of names.beside(owner, manager)) {
    const reason = describeConflict(other, manager);
    if (reason !== undefined) return [{ path: parentInputs(resource)[0] ?? "", reason }];
  }
  names.manage(owner, manager);
  return [];
}

function describeConflict({ owner, manager: other }: OtherManager, manager: Manager): string | undefined {
  const named = `${describeOwner(owner)} (${other.type})`;
  if (isWhole(manager) || isWhole(other)) {
    const whole = isWhole(manager) ? manager.type : other.type;
    return (
      `${named} manages the ${manager.collection} of the same project: ` +
      `${whole} manages all of them, so no other resource of the program can. Nothing was done for this one. ` +
      `Declare everything in the ${whole}, or remove it from the program.`
    );
  }
  const common = [...(manager.names ?? [])].filter((name) => other.names?.has(name) === true);
  if (common.length === 0) return undefined;
  return (
    `${named} declares the same ${manager.collection} of the project, ${formatCodeList(common)}. Both would be one object on the service. ` +
    "Nothing was done for this one. Remove them from one of the two."
  );
}

function isWhole({ extent }: Manager): boolean {
  return extent === "whole";
}

/** Why a delete leaves everything as it is: another resource of the program manages it from this run on. */
export function leftToOtherManager(
  names: ProgramNames,
  resource: AnyResource,
  state: Values,
): string | undefined {
  const manager = findManager(resource, state);
  const next =
    manager &&
    names
      .beside(ownerOf(state), manager)
      .find(({ manager: other }) => other.type !== manager.type && covers(other, manager));
  if (manager === undefined || next === undefined) return undefined;
  return (
    `the ${manager.collection} of the project ${manager.scope} were not deleted: ${describeOwner(next.owner)} (${next.manager.type}) manages them now. ` +
    "Only the record of this resource was removed from Pulumi's state."
  );
}

/** Whether all that the one has had is the other's now. */
function covers(other: Manager, manager: Manager): boolean {
  if (isWhole(other)) return true;
  const { names } = manager;
  if (names === undefined) return isWhole(manager);
  return names.size > 0 && [...names].every((name) => other.names?.has(name) === true);
}

/** Names of the collection that other resources of the program declare. */
export function namesElsewhere(
  names: ProgramNames,
  resource: AnyResource,
  values: Values,
): ReadonlySet<string> {
  const manager = findManager(resource, values);
  const others = manager === undefined ? [] : names.beside(ownerOf(values), manager);
  return new Set(others.flatMap(({ manager: other }) => [...(other.names ?? [])]));
}

export function findManager(resource: AnyResource, values: Values): Manager | undefined {
  const { manages, type } = resource;
  if (manages === undefined || ownerOf(values) === "") return undefined;
  const scope = parentOf(resource, values);
  if (scope === "" || hasUnknown(scope)) return undefined;
  const { collection, wholeBy } = manages;
  const named = manages.names?.(values).filter((name) => !hasUnknown(name));
  return {
    collection,
    extent: wholeBy !== undefined && values[wholeBy] === true ? "whole" : manages.extent,
    type,
    scope,
    names: named && new Set(named),
  };
}
