import { InvalidInputError } from "../../client/errors/errors";
import { markedFields } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import type { Entry } from "../../ledger/entry";
import type { JournalSubject } from "../../ledger/journal";
import { objectKey, ownerOf, stackOf } from "../../ledger/identity";
import type { Runtime } from "./runtime";
import { pick, readRecordId, type Values } from "./state";

export function journalSubject(
  runtime: Runtime,
  resource: AnyResource,
  values: Values,
): JournalSubject | undefined {
  const owner = ownerOf(values);
  const stack = stackOf(values);
  if (stack === undefined) return undefined;
  return { stack, owner, type: resource.type, baseUrl: runtime.baseUrl(), account: runtime.account() };
}

/** Names that an interrupted create of the resource made up: what it made bears them. */
export function interruptedNames(runtime: Runtime, resource: AnyResource, values: Values): Values {
  const names = markedFields(resource.inputs).flatMap(([name, , { autonamed }]) =>
    autonamed === undefined ? [] : [name],
  );
  if (names.length === 0) return {};
  const subject = unlessUnconfigured(() => journalSubject(runtime, resource, values));
  const [pending] = subject === undefined ? [] : runtime.journal.pendingCreates(subject);
  return pick(pending?.entry?.sent ?? {}, names);
}

/** Without a complete configuration nothing was begun with it either. */
function unlessUnconfigured<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

/** An object that the engine calls with: `known` are inputs or state that tell the owner. */
interface Called {
  readonly id: string;
  readonly state: Values;
  readonly known: Values;
}

/** The engine calls with an id, and so shows that it knows the object. Returns what a run that died kept of it and is not recorded. */
export function engineShows(
  { journal, owners }: Runtime,
  resource: AnyResource,
  { id, state, known }: Called,
): Values | undefined {
  const stack = stackOf(known);
  if (stack === undefined) return undefined;
  const object = objectKey(resource, id, state);
  const others = owners.all(object).filter(({ record }) => record !== readRecordId(state));
  const owner = ownerOf(known);
  const isOwn = (entry: Pick<Entry, "owner" | "step">): boolean => {
    if (entry.owner === owner || resource.shares === undefined) return true;
    // What was kept under another name is this resource's all the same, unless another one that has a part has the name.
    return entry.step === "update" && !others.some((objectOwner) => objectOwner.owner === entry.owner);
  };
  journal.recorded(stack, object, state, isOwn);
  return journal.kept(stack, object, isOwn);
}
