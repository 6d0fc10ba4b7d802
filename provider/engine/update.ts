import { isNotFound } from "../client/errors/errors";
import type { AnyResource } from "../define/resource";
import { InitializationError, orGone } from "./step/errors";
import { isAdopted } from "./step/adopted";
import { declareOwned, otherOwners, keepMarks } from "./step/ownership";
import { objectKey, ownerOf } from "../ledger/identity";
import { showInheritance } from "../ledger/program-names";
import { refuseOtherService, withServiceAddress } from "./step/service-address";
import { engineShows, journalSubject } from "./step/journal-subject";
import { contextFor, type Runtime } from "./step/runtime";
import {
  isOwnKey,
  isPending,
  pickOutputs,
  pick,
  remember,
  upgradeState,
  withoutUndefined,
  type Values,
} from "./step/state";
import { diffForUpdate } from "./diff";
import { settleResource, type Made } from "./step/settle";

/** Brings the resource to the declared state; a change of the provider's own options makes no call. */
export async function updateResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
  inputs: Values,
): Promise<Made> {
  runtime.journal.requireOwnFolder();
  const recorded = upgradeState(resource, state);
  return change(runtime, resource, { id, state: recorded }, inputs);
}

async function change(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: Pick<Made, "id" | "state">,
  inputs: Values,
): Promise<Made> {
  const kept = engineShows(runtime, resource, { id, state, known: inputs });
  runtime.names.forgetCheck(resource.type, ownerOf(inputs));
  const { changed, expiring, recorded } = diffForUpdate(resource, state, inputs, runtime.clock.now());
  const outputs = pickOutputs(resource, state);
  const isToChange = changed.size > 0 || expiring.length > 0 || recorded.length > 0 || kept !== undefined;
  if (!isToChange && !isPending(state)) {
    return { id, state: keepMarks(state, remember(resource, inputs, { outputs })) };
  }
  const keep = (of: string, what: Values): void => {
    const subject = journalSubject(runtime, resource, inputs);
    if (subject !== undefined) runtime.journal.keep(subject, objectKey(resource, of, state), what);
  };
  const others = otherOwners(runtime, resource, { id, state }).map(({ shared }) => shared);
  const ctx = contextFor(runtime, resource, "update", inputs, {
    ...{ id, keep, kept, others },
    isAdopted: isAdopted(state),
  });
  const current: Values = Object.fromEntries(
    Object.entries(state).filter(([name]) => !isOwnKey(name) || name in (resource.bookkeeping?.shape ?? {})),
  );
  try {
    const updated = isToChange ? await resource.update?.(ctx, { id, state: current, inputs, changed }) : {};
    // What the answer to a write leaves out is as it was.
    const seen = { ...updated, outputs: { ...outputs, ...withoutUndefined(updated?.outputs ?? {}) } };
    const settled = await settleResource(ctx, resource, id, inputs, seen);
    const made = { id, state: withServiceAddress(runtime, keepMarks(state, settled.state)) };
    declareOwned(runtime, resource, made, inputs);
    showInheritance(runtime.names, resource, made.state);
    // From now on it is this that the engine has to show.
    if (kept !== undefined) keep(id, pick(made.state, Object.keys(kept)));
    return made;
  } catch (error) {
    if (error instanceof InitializationError)
      throw new InitializationError(id, keepMarks(state, error.state), error.cause);
    if (isNotFound(error)) refuseOtherService(runtime, resource, { id, state });
    throw orGone(resource.type, id, error);
  }
}
