import type { HandOver } from "../define/context";
import type { AnyResource } from "../define/resource";
import type { Clock } from "../client/clock";
import type { ObjectOwner, ObjectOwners } from "./object-owners";
import { type ObjectKey, OWNER, ownerOf, stackOf } from "./identity";
import { findManager, inheritedBy, type ProgramNames } from "./program-names";
import type { Values } from "../engine/step/state";

export const NOTHING_TO_HAND_OVER: HandOver = {
  hadElsewhere: () => undefined,
  leave: () => undefined,
  take: () => undefined,
  inherited: () => new Map(),
};

/** What a run knows of who has what. */
interface Known {
  readonly names: ProgramNames;
  readonly owners: ObjectOwners;
  readonly clock: Pick<Clock, "now">;
}

/** What the resource of these inputs or this state may take from other resources of its program, and leaves to them. */
export function createHandOver(
  { names, owners, clock }: Known,
  resource: AnyResource,
  values: Values,
  isCreated = false,
): HandOver {
  const [manager, stack, owner] = [findManager(resource, values), stackOf(values), ownerOf(values)];
  if (manager === undefined || stack === undefined) return NOTHING_TO_HAND_OVER;
  const { scope, collection } = manager;
  const leftAs = (name: string): ObjectKey => ({ type: collection, scope, id: name });
  const onRecord = (name: string): ObjectOwner[] =>
    (resource.manages?.recordedAs?.(scope, name) ?? []).flatMap((object) =>
      owners.all(object).filter(({ shared }) => hasName(shared, name)),
    );
  const isOfAnother = (objectOwner: ObjectOwner): boolean =>
    objectOwner.owner !== owner && stackOf({ [OWNER]: objectOwner.owner }) === stack;
  return {
    hadElsewhere: (name) => {
      const isLeft = owners.all(leftAs(name)).some((objectOwner) => objectOwner.owner === owner);
      if (isLeft || names.isHadBeside(owner, manager, name)) return "shown";
      return onRecord(name).some(isOfAnother) ? "recorded" : undefined;
    },
    leave: (left) => {
      for (const other of names.beside(owner, manager)) {
        for (const name of left.filter((each) => other.manager.names?.has(each) === true)) {
          const isTaken = onRecord(name).some((objectOwner) => objectOwner.owner === other.owner);
          if (!isTaken) owners.add(leftAs(name), { owner: other.owner, shared: {} }, clock.now());
        }
      }
    },
    take: (taken) => {
      for (const name of taken) if (owners.all(leftAs(name)).length > 0) owners.gone(leftAs(name));
    },
    inherited: () =>
      new Map(
        [...(isCreated ? inheritedBy(names, resource, values) : [])].filter(
          ([name]) => onRecord(name).find(isOfAnother) === undefined,
        ),
      ),
  };
}

/** Whether a record is of the name: that of a set lists its names, that of a single thing is its name. */
function hasName({ names }: Readonly<Record<string, unknown>>, name: string): boolean {
  return !Array.isArray(names) || names.includes(name);
}
