import type { Clock } from "../client/clock";
import type { HandOver } from "../define/context";
import type { AnyResource } from "../define/resource";
import type { Values } from "../define/values";
import { createClaim, withId, type ObjectClaim, type ObjectKey } from "./claim";
import type { OwnerRecord } from "./owner-records";
import type { Ledger } from "./ledger";
import { stackOf } from "./owner";
import { findManager, type ProgramIndex } from "./program-index";

export const NOTHING_TO_HAND_OVER: HandOver = {
  hadElsewhere: () => undefined,
  leave: () => undefined,
  take: () => undefined,
  inherited: () => new Map(),
};

interface HandOverParts {
  readonly program: ProgramIndex;
  readonly ledger: Pick<Ledger, "owners">;
  readonly clock: Pick<Clock, "now">;
}

/** What the resource of these inputs or this state may take from other resources of its program, and leaves to them. */
export function createHandOver(
  { program, ledger: { owners }, clock }: HandOverParts,
  resource: AnyResource,
  values: Values,
  isCreated = false,
): HandOver {
  const [manager, claim] = [findManager(resource, values), createClaim(resource, values)];
  if (manager === undefined || claim.stack === undefined) return NOTHING_TO_HAND_OVER;
  const { parent, collection } = manager;
  /** What stands in the owners' records while a name is left to a resource that does not have it yet. */
  const claimLeft = (name: string, owner: string): ObjectClaim => ({
    ...withId(claim, name),
    ...{ type: collection, scope: parent, owner },
  });
  const listRecorded = (name: string): OwnerRecord[] =>
    (resource.manages?.recordedAs?.(parent, name) ?? []).flatMap((object: ObjectKey) =>
      owners.list(object).filter(({ shared }) => isOfName(shared, name)),
    );
  const isOfSibling = ({ owner }: OwnerRecord): boolean =>
    owner !== claim.owner && stackOf(owner) === claim.stack;
  return {
    hadElsewhere: (name) => {
      const isLeft = owners.list(claimLeft(name, claim.owner)).some(({ owner }) => owner === claim.owner);
      if (isLeft || program.isNameInOtherState(manager, name)) return "shown";
      return listRecorded(name).some(isOfSibling) ? "recorded" : undefined;
    },
    leave: (left) => {
      for (const other of program.listOtherManagers(manager)) {
        for (const name of left.filter((each) => other.names?.has(each) === true)) {
          const isTaken = listRecorded(name).some(({ owner }) => owner === other.owner);
          if (!isTaken) owners.add(claimLeft(name, other.owner), {}, clock.now());
        }
      }
    },
    take: (taken) => {
      for (const name of taken) {
        const object = claimLeft(name, claim.owner);
        if (owners.list(object).length > 0) owners.removeAll(object);
      }
    },
    inherited: () =>
      new Map(
        [...(isCreated ? program.listInherited(resource, values) : [])].filter(
          ([name]) => listRecorded(name).find(isOfSibling) === undefined,
        ),
      ),
  };
}

/** Whether a record is of the name: that of a set lists its names, that of a single thing is its name. */
function isOfName({ names }: Readonly<Record<string, unknown>>, name: string): boolean {
  return !Array.isArray(names) || names.includes(name);
}
