import { isObject } from "../../spec/is-object";
import type { InheritedPart } from "../define/context";
import { isProtected } from "../define/protection";
import {
  PROTECTION_INPUT,
  type AnyResource,
  type Inheritance,
  type ManagedCollection,
} from "../define/resource";
import { hasUnknown } from "../define/unknown";
import { isOwnKey, type Values } from "../define/values";
import { createClaim, formatObjectKey, type ObjectKey } from "./claim";

/** A resource that manages a collection of a project, or a part of it. */
export interface CollectionManager extends Pick<ManagedCollection, "collection" | "extent"> {
  readonly owner: string;
  readonly type: string;
  /** What the collection is part of. */
  readonly parent: string;
  /** What of the collection it declares, where that is told by name. */
  readonly names: ReadonlySet<string> | undefined;
}

/** What the check of a resource was given in this run. */
interface RecordedCheck {
  readonly inputs: string;
  /** It was given the inputs that the engine has recorded, and refused none. */
  readonly hadBefore: boolean;
}

/**
 * The resources of one program as far as this run has seen them: how they name their objects on the service, what they manage and
 * have managed, what of them was checked and refused.
 */
export class ProgramIndex {
  readonly #checks = new Map<string, RecordedCheck>();
  readonly #declared = new Map<string, Values>();
  readonly #replaceable = new Set<string>();
  readonly #unseen = new Set<string>();
  readonly #ownersByName = new Map<string, string>();
  readonly #namesByOwner = new Map<string, string>();
  readonly #managers = new Map<string, CollectionManager>();
  readonly #managersInState = new Map<string, CollectionManager>();
  readonly #inheritances = new Map<string, Inheritance>();
  readonly #refusals = new Map<string, string>();

  /** Gives the name to the resource; returns another resource of the program whose object has it already. */
  claimName(owner: string, name: string): string | undefined {
    const other = this.#ownersByName.get(name);
    if (other !== undefined && other !== owner && this.#namesByOwner.get(other) === name) return other;
    this.#ownersByName.set(name, owner);
    this.#namesByOwner.set(owner, name);
    return undefined;
  }

  /** The program declares the resource: what it manages, others cannot. */
  recordManager(manager: CollectionManager): void {
    this.#managers.set(manager.owner, manager);
  }

  /** Other resources that the program declares and that manage something of the same collection. */
  listOtherManagers(manager: CollectionManager): CollectionManager[] {
    return listOthers(this.#managers, manager);
  }

  /** Whether another resource of the program has had the name until this run, by the state that the engine has of it. */
  isNameInOtherState(manager: CollectionManager, name: string): boolean {
    return listOthers(this.#managersInState, manager).some(({ names }) => names?.has(name) === true);
  }

  /** Names of the collection that other resources of the program declare. */
  listNamesElsewhere(manager: CollectionManager): ReadonlySet<string> {
    return new Set(this.listOtherManagers(manager).flatMap(({ names }) => [...(names ?? [])]));
  }

  /** The engine shows the state of a resource: what it manages has been its own until now. `kept` is what a run that died kept of it. */
  recordState(resource: AnyResource, state: Values, kept: Values = {}): void {
    const manager = findManager(resource, state);
    if (manager !== undefined) this.#managersInState.set(manager.owner, manager);
    const { protection, idOutput } = resource;
    const ref = state[idOutput ?? ""];
    if (protection !== undefined && typeof ref === "string") {
      if (state[PROTECTION_INPUT] === false) this.#replaceable.add(ref);
      else this.#replaceable.delete(ref);
      const isUnseen = resource.mayBeOutOfSight?.({ ...state, ...kept }) === true;
      if (isUnseen || isProtected(resource, state)) this.#unseen.add(ref);
      else this.#unseen.delete(ref);
    }
    this.recordInheritance(resource, state);
  }

  /** By its state, the object of this reference may be replaced with everything in it. */
  isReplaceable(ref: string): boolean {
    return this.#replaceable.has(ref);
  }

  /** By its state, the object of this reference may have been moved to where the access token does not see it. */
  mayBeOutOfSight(ref: string): boolean {
    return this.#unseen.has(ref);
  }

  /** By its state, the object of the resource came with things that others of the program may take over. */
  recordInheritance(resource: AnyResource, state: Values): void {
    const ref = state[resource.idOutput ?? ""];
    const inheritance = resource.inherits?.(state);
    if (inheritance !== undefined && typeof ref === "string") this.#inheritances.set(ref, inheritance);
  }

  /**
   * What a resource that is being created may take over of what its project came with, by name: without what another resource of
   * the program has had or declares.
   */
  listInherited(manager: CollectionManager): ReadonlyMap<string, InheritedPart> {
    const { collection, parts = {} } = this.#inheritances.get(manager.parent) ?? {};
    if (collection !== manager.collection) return new Map();
    const elsewhere = this.listNamesElsewhere(manager);
    return new Map(
      Object.entries(parts).filter(
        ([name]) => !this.isNameInOtherState(manager, name) && !elsewhere.has(name),
      ),
    );
  }

  /** A check of the resource refused none of these inputs; `before` are those that the engine has recorded. */
  recordCheck(type: string, owner: string, inputs: Values, before: Values | undefined): void {
    const key = JSON.stringify([type, owner]);
    this.#checks.set(key, { inputs: canonicalJson(inputs), hadBefore: before !== undefined });
    this.#declared.set(key, inputs);
  }

  /** The check that saw these inputs of the resource last; undefined where none did, as in a refresh. */
  findCheck(type: string, owner: string, inputs: Values): RecordedCheck | undefined {
    const check = this.#checks.get(JSON.stringify([type, owner]));
    return check?.inputs === canonicalJson(inputs) ? check : undefined;
  }

  /** What the program declares of a resource, whether it was created or updated since or not; undefined where no check saw it. */
  findDeclared(type: string, owner: string): Values | undefined {
    return this.#declared.get(JSON.stringify([type, owner]));
  }

  /** What was checked is done: whatever is compared from now on was not. */
  forgetCheck(type: string, owner: string): void {
    this.#checks.delete(JSON.stringify([type, owner]));
  }

  /** The create of a resource was refused because the object exists. */
  recordRefusal(object: ObjectKey, owner: string): void {
    this.#refusals.set(formatObjectKey(object), owner);
  }

  /** The resource whose create was refused because the object exists. */
  findRefusal(object: ObjectKey): string | undefined {
    return this.#refusals.get(formatObjectKey(object));
  }
}

/** What the resource of these inputs or this state manages; undefined where it manages no collection, or not yet known which. */
export function findManager(
  resource: AnyResource,
  values: Values,
  { owner, parent } = createClaim(resource, values),
): CollectionManager | undefined {
  const { manages, type } = resource;
  if (manages === undefined || owner === "") return undefined;
  if (parent === "" || hasUnknown(parent)) return undefined;
  const { collection, wholeBy } = manages;
  const named = manages.names?.(values).filter((name) => !hasUnknown(name));
  return {
    owner,
    collection,
    extent: wholeBy !== undefined && values[wholeBy] === true ? "whole" : manages.extent,
    type,
    parent,
    names: named && new Set(named),
  };
}

function listOthers(
  managers: ReadonlyMap<string, CollectionManager>,
  manager: CollectionManager,
): CollectionManager[] {
  return [...managers.values()].filter(
    ({ owner, parent, collection }) =>
      owner !== manager.owner && parent === manager.parent && collection === manager.collection,
  );
}

function canonicalJson(inputs: Values): string {
  const own = Object.fromEntries(Object.entries(inputs).filter(([name]) => !isOwnKey(name)));
  // The engine keeps no order of keys.
  return JSON.stringify(own, (_key, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
