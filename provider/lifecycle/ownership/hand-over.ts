import type { HandOver } from "../../define/context";
import type { AnyResource } from "../../define/resource";
import type { Clock } from "../../client/clock";
import type { Holder, Holders } from "../recovery/journal/holders";
import type { ObjectKey } from "../recovery/journal/stack-entries";
import { OWNER, ownerOf, stackOf } from "./program-owner";
import { managerIn, type ProgramNames } from "./program-names";
import type { Values } from "../state";

export const NOTHING_TO_HAND_OVER: HandOver = {
  hadElsewhere: () => undefined,
  leave: () => undefined,
  take: () => undefined,
};

/** What a run knows of who has what. */
interface Known {
  readonly names: ProgramNames;
  readonly holders: Holders;
  readonly clock: Pick<Clock, "now">;
}

/** What the resource of these inputs or this state may take from other resources of its program, and leaves to them. */
export function handOverOf(
  { names, holders, clock }: Known,
  resource: AnyResource,
  values: Values,
): HandOver {
  const [manager, stack, owner] = [managerIn(resource, values), stackOf(values), ownerOf(values)];
  if (manager === undefined || stack === undefined) return NOTHING_TO_HAND_OVER;
  const { scope, collection } = manager;
  const leftAs = (name: string): ObjectKey => ({ type: collection, scope, id: name });
  const onRecord = (name: string): Holder[] =>
    (resource.manages?.recordedAs?.(scope, name) ?? []).flatMap((object) =>
      holders.all(object).filter(({ shared }) => isOf(shared, name)),
    );
  return {
    hadElsewhere: (name) => {
      const isLeft = holders.all(leftAs(name)).some((holder) => holder.owner === owner);
      if (isLeft || names.isHadBeside(owner, manager, name)) return "shown";
      const isOthers = (holder: Holder): boolean =>
        holder.owner !== owner && stackOf({ [OWNER]: holder.owner }) === stack;
      return onRecord(name).some(isOthers) ? "recorded" : undefined;
    },
    leave: (left) => {
      for (const rival of names.beside(owner, manager)) {
        for (const name of left.filter((each) => rival.manager.names?.has(each) === true)) {
          const isTaken = onRecord(name).some((holder) => holder.owner === rival.owner);
          if (!isTaken) holders.add(leftAs(name), { owner: rival.owner, shared: {} }, clock.now());
        }
      }
    },
    take: (taken) => {
      for (const name of taken) if (holders.all(leftAs(name)).length > 0) holders.gone(leftAs(name));
    },
  };
}

/** Whether a record is of the name: that of a set lists its names, that of a single thing is its name. */
function isOf({ names }: Readonly<Record<string, unknown>>, name: string): boolean {
  return !Array.isArray(names) || names.includes(name);
}
