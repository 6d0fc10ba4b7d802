import type { Clock } from "../client/clock";
import type { ProgramView } from "../define/context";
import type { AnyResource } from "../define/resource";
import type { Values } from "../define/values";
import { withId, type Claim, type ObjectClaim, type ObjectKey } from "./claim";
import type { OwnerRecord } from "./owner-records";
import type { Ledger } from "./ledger";
import { stackOf } from "./owner";
import { findManager, type ProgramIndex } from "./program-index";

/** Of a step that is of no resource, or of one that manages no collection. */
export const EMPTY_PROGRAM: ProgramView = {
  listNamesElsewhere: () => new Set(),
  hadElsewhere: () => undefined,
  leaveNames: () => undefined,
  takeNames: () => undefined,
  listInherited: () => new Map(),
  successor: undefined,
};

interface ProgramViewSources {
  readonly program: ProgramIndex;
  readonly ledger: Pick<Ledger, "owners">;
  readonly clock: Pick<Clock, "now">;
}

interface ViewOptions {
  readonly claim: Claim;
  /** The resource is being created: it may take over what its project came with. */
  readonly isCreated?: boolean;
  readonly successor?: Values | undefined;
}

/** What the resource of these inputs or this state may know of others of its program, take from them and leave to them. */
export function viewProgram(
  { program, ledger: { owners }, clock }: ProgramViewSources,
  resource: AnyResource,
  values: Values,
  { claim, isCreated = false, successor }: ViewOptions,
): ProgramView {
  const manager = findManager(resource, values, claim);
  if (manager === undefined || claim.stack === undefined) return { ...EMPTY_PROGRAM, successor };
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
    successor,
    listNamesElsewhere: () => program.listNamesElsewhere(manager),
    hadElsewhere: (name) => {
      const isLeft = owners.list(claimLeft(name, claim.owner)).some(({ owner }) => owner === claim.owner);
      if (isLeft || program.isNameInOtherState(manager, name)) return "shown";
      return listRecorded(name).some(isOfSibling) ? "recorded" : undefined;
    },
    leaveNames: (left) => {
      for (const other of program.listOtherManagers(manager)) {
        for (const name of left.filter((each) => other.names?.has(each) === true)) {
          const isTaken = listRecorded(name).some(({ owner }) => owner === other.owner);
          if (!isTaken) owners.add(claimLeft(name, other.owner), {}, clock.now());
        }
      }
    },
    takeNames: (taken) => {
      for (const name of taken) {
        const object = claimLeft(name, claim.owner);
        if (owners.list(object).length > 0) owners.removeAll(object);
      }
    },
    listInherited: () =>
      new Map(
        [...(isCreated ? program.listInherited(manager) : [])].filter(
          ([name]) => listRecorded(name).find(isOfSibling) === undefined,
        ),
      ),
  };
}

/** Whether a record is of the name: that of a set lists its names, that of a single thing is its name. */
function isOfName({ names }: Readonly<Record<string, unknown>>, name: string): boolean {
  return !Array.isArray(names) || names.includes(name);
}
