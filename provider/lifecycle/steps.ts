import { InvalidInputError, isNotFound } from "../client/errors";
import type { Context } from "../define/context";
import { fieldsOf } from "../define/markers";
import type { AnyResource } from "../define/resource";
import { diffInputs, type Differences } from "./diff";
import { orGone } from "./gone-error";
import { declares, leaves, otherHolders, refuseDeleteOfWanted, withRecordOf } from "./holding";
import { differenceFrom, sentBy, tellingOutputs } from "./identify";
import { InitializationError } from "./initialization-error";
import { engineShows, journalSubject, objectKey } from "./journal-subject";
import type { Holder } from "./journal/holders";
import { observe } from "./observe";
import { describeOwner, isUrn, OWNER, ownerOf, stackOf } from "./program-owner";
import { contextFor, type Runtime } from "./runtime";
import { asPending, declaredIn, isOwnKey, isPending, outputsIn, pick, remember, type Values } from "./state";
import { settleResource, type Made } from "./take-over";

export interface Read {
  readonly id: string;
  readonly state: Values;
  /** The declared inputs as the service has them. */
  readonly inputs: Values;
}

/** How the resource differs from what is declared, without any call; what a run that died left half-recorded counts as a change. */
export function diffResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
  inputs: Values,
): Differences {
  const kept = engineShows(runtime, resource, { id, state, known: inputs });
  declares(runtime, resource, { id, state }, inputs);
  const found = diffInputs(resource, state, inputs);
  return kept === undefined ? found : { ...found, changes: true };
}

/** What the service has now; undefined only when the service says that the resource is gone. */
export async function readResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
): Promise<Read | undefined> {
  engineShows(runtime, resource, { id, state, known: state });
  const ctx = contextFor(runtime, resource, "read", state, { id });
  const observed = await observe(ctx, resource, { id, state });
  if (observed === undefined) return undefined;
  const declared = declaredIn(resource, state);
  const remembered = withRecordOf(state, remember(resource, declared, observed));
  const names = fieldsOf(resource.inputs).map(([name]) => name);
  return {
    id,
    state: isPending(state) ? asPending(remembered) : remembered,
    inputs: pick(
      remembered,
      names.filter((name) => name in declared),
    ),
  };
}

/** Brings the resource to the declared state; a change of the provider's own options makes no call. */
export async function updateResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
  inputs: Values,
): Promise<Made> {
  const kept = engineShows(runtime, resource, { id, state, known: inputs });
  const { changed } = diffInputs(resource, state, inputs);
  const outputs = outputsIn(resource, state);
  if (changed.size === 0 && kept === undefined && !isPending(state)) {
    return { id, state: withRecordOf(state, remember(resource, inputs, { outputs })) };
  }
  const keep = (of: string, what: Values): void => {
    const subject = journalSubject(runtime, resource, inputs);
    if (subject !== undefined) runtime.journal.keep(subject, objectKey(resource, of, state), what);
  };
  const others = otherHolders(runtime, resource, { id, state }).map(({ told }) => told);
  const ctx = contextFor(runtime, resource, "update", inputs, { id, keep, kept, others });
  const current: Values = Object.fromEntries(Object.entries(state).filter(([name]) => !isOwnKey(name)));
  try {
    const isToChange = changed.size > 0 || kept !== undefined;
    const updated = isToChange ? await resource.update?.(ctx, { id, state: current, inputs, changed }) : {};
    const settled = await settleResource(ctx, resource, id, inputs, { outputs, ...updated });
    const made = { id, state: withRecordOf(state, settled.state) };
    declares(runtime, resource, made, inputs);
    // From now on it is this that the engine has to show.
    if (kept !== undefined) keep(id, pick(made.state, Object.keys(kept)));
    return made;
  } catch (error) {
    if (error instanceof InitializationError)
      throw new InitializationError(id, withRecordOf(state, error.state), error.cause);
    throw orGone(resource.type, id, error);
  }
}

/** Removes the resource; what is gone already is a success, and what another resource has by now is left to it. */
export async function deleteResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
): Promise<void> {
  refuseDeleteOfWanted(runtime, resource, { id, state });
  const others = otherHolders(runtime, resource, { id, state });
  const kept = engineShows(runtime, resource, { id, state, known: state });
  const latest = others.at(-1);
  if (latest !== undefined) {
    leaves(runtime, resource, { id, state });
    runtime.warn(leftTo(resource, state, latest), `${resource.type} ${id}`);
    if (resource.tells === undefined) return;
  }
  const told = others.map((holder) => holder.told);
  const ctx = contextFor(runtime, resource, "delete", state, { id, kept, others: told });
  try {
    if (await isStillOurs(ctx, runtime, resource, { id, state })) await resource.delete(ctx, { id, state });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const object = objectKey(resource, id, state);
  if (latest === undefined) runtime.holders.gone(object);
  const stack = stackOf(state);
  if (stack !== undefined) runtime.journal.gone(stack, object);
}

function leftTo(resource: AnyResource, state: Values, holder: Holder): string {
  if (resource.tells !== undefined) {
    return `what ${describeOwner(holder.owner)} declares of it stays as it is; only the rest was taken back.`;
  }
  if (holder.owner === state[OWNER]) {
    return (
      "it was not replaced and stays as it is: its record in Pulumi's state has a later one, of the same resource, which made it or took it over. " +
      "To replace it, run the same command again."
    );
  }
  return (
    `it was not removed and stays as it is: ${describeOwner(holder.owner)} has it now. Only the old record of it is taken out of Pulumi's state. ` +
    "If it is to be removed, take that resource out of its program."
  );
}

/** Whether there is something to remove; throws where it is not what the state tells, but was put in its place. */
async function isStillOurs(
  ctx: Context,
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: Values },
): Promise<boolean> {
  if (resource.comparesBeforeDelete !== true) return true;
  const telling = tellingOutputs(resource, outputsIn(resource, state), runtime.redact);
  const named = sentBy(resource, declaredIn(resource, state), runtime.redact);
  const observed = await observe(ctx, resource, { id, state });
  if (observed === undefined) return false;
  const name = differenceFrom(resource, named, telling, observed);
  if (name === undefined) return true;
  const seen = { ...observed.outputs, ...observed.inputs }[name];
  const owner = ownerOf(state);
  const urn = isUrn(owner) ? owner : "<urn>";
  throw new InvalidInputError(
    name,
    `The ${resource.type} ${id} was not removed: what is there is not what this program made. Its ${name} is ${JSON.stringify(seen)}, in ` +
      `Pulumi's state it is ${JSON.stringify(state[name])}: somebody removed the one of this program and put another one in its place. To leave that one alone, ` +
      `take the old one out of the state with \`pulumi state delete '${urn}'\`; to remove it as well, run \`pulumi refresh\` first.`,
  );
}
