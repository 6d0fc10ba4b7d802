import { quoteForShell } from "../../spec/shown-text";
import { InvalidInputError, NotFoundError } from "../client/errors/errors";
import { isDueToRemoval } from "../waiting/project-state";
import type { Context } from "../define/context";
import { NotListedError, type AnyResource, type Observed } from "../define/resource";
import { isAdopted } from "./step/adopted";
import { release, otherOwners, refuseDeleteOfWanted } from "./step/ownership";
import { differenceFrom, identifyingInputs, identifyingOutputs } from "./create/fingerprint";
import { engineShows } from "./step/journal-subject";
import { objectKey, describeOwner, isUrn, OWNER, ownerOf, stackOf } from "../ledger/identity";
import { createHandOver } from "../ledger/hand-over";
import type { ObjectOwner } from "../ledger/object-owners";
import { hasNeverBeen, judgeAbsence, unprovenDelete } from "./absence";
import { answerOf } from "./read";
import { leftToOtherManager } from "../ledger/program-names";
import { refuseRemoval } from "./step/protection";
import { contextFor, type Runtime } from "./step/runtime";
import { pickDeclared, pickOutputs, upgradeState, type Values } from "./step/state";

/** Removes the resource; what is gone already is a success, and what another resource has by now is left to it. */
export async function deleteResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
): Promise<void> {
  runtime.journal.requireOwnFolder();
  await remove(runtime, resource, id, upgradeState(resource, state));
}

async function remove(runtime: Runtime, resource: AnyResource, id: string, state: Values): Promise<void> {
  refuseDeleteOfWanted(runtime, resource, { id, state });
  const others = otherOwners(runtime, resource, { id, state });
  const kept = engineShows(runtime, resource, { id, state, known: state });
  const latest = others.at(-1);
  if (latest !== undefined) {
    release(runtime, resource, { id, state });
    runtime.warn(leftTo(resource, state, latest), `${resource.type} ${id}`);
    if (resource.shares === undefined) return;
  }
  const left = leftToOtherManager(runtime.names, resource, state);
  if (left !== undefined) {
    runtime.warn(left, `${resource.type} ${id}`);
    createHandOver(runtime, resource, state).leave(resource.manages?.names?.(state) ?? []);
    release(runtime, resource, { id, state });
    forgetEntry(runtime, resource, { id, state });
    return;
  }
  refuseRemoval(resource, { id, state });
  const shared = others.map((objectOwner) => objectOwner.shared);
  const ctx = contextFor(runtime, resource, "delete", state, {
    ...{ id, kept, others: shared },
    isAdopted: isAdopted(state),
    successor: runtime.names.declaredOf(resource.type, ownerOf(state)),
  });
  try {
    const missing = await deleteFound(ctx, runtime, resource, { id, state });
    if (missing !== undefined) {
      const absence = await judgeAbsence(
        ctx,
        runtime,
        resource,
        { id, state },
        { step: "delete", ...missing },
      );
      if (!absence.isGone) throw unprovenDelete(resource, { id, state }, absence.reason);
    }
  } catch (error) {
    const isGone =
      (await isGoneWithParent(ctx, state, error)) || (await hasNeverBeen(ctx, resource, state, error));
    if (!isGone) throw error;
  }
  if (latest === undefined) runtime.owners.gone(objectKey(resource, id, state));
  forgetEntry(runtime, resource, { id, state });
  // What a run that died may have made within it has gone with it.
  const stack = stackOf(state);
  if (stack !== undefined) runtime.journal.goneWithin(stack, id);
}

async function isGoneWithParent(ctx: Context, { projectRef: ref }: Values, error: unknown): Promise<boolean> {
  return typeof ref === "string" && isDueToRemoval(ctx, ref, error);
}

function forgetEntry(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: Values },
): void {
  const stack = stackOf(state);
  if (stack !== undefined) runtime.journal.gone(stack, objectKey(resource, id, state));
}

function leftTo(resource: AnyResource, state: Values, objectOwner: ObjectOwner): string {
  if (resource.shares !== undefined) {
    return `what ${describeOwner(objectOwner.owner)} declares was kept; only the rest was removed or restored.`;
  }
  if (objectOwner.owner === state[OWNER]) {
    return (
      "it was neither replaced nor deleted: Pulumi has a newer record of this resource, in this state or, if the resource has moved, in that of another stack. " +
      "Only the old record was removed from this state. If it was to be replaced, run the same command again. " +
      "If it was to be deleted, destroy the stack that has the newer record."
    );
  }
  return (
    `it was not deleted: ${describeOwner(objectOwner.owner)} has it now. Only the old record was removed from Pulumi's state. ` +
    "To delete it, remove that resource from its program."
  );
}

interface Target {
  readonly id: string;
  readonly state: Values;
}

/** Deletes the object; returns how the service says that there is none, where it does. */
async function deleteFound(
  ctx: Context,
  runtime: Runtime,
  resource: AnyResource,
  target: Target,
): Promise<{ readonly answer: NotFoundError | undefined } | undefined> {
  if (resource.comparesBeforeDelete === true) {
    const observed = await answerOf(resource.read(ctx, target));
    if (observed === undefined || observed instanceof NotFoundError) return { answer: observed };
    requireStillOurs(runtime, resource, target, observed);
  }
  const answer = await answerOf(resource.delete(ctx, target)).catch((error: unknown) => {
    if (error instanceof NotListedError) return error;
    throw error;
  });
  if (answer instanceof NotListedError) return { answer: undefined };
  return answer instanceof NotFoundError ? { answer } : undefined;
}

/** Throws where what is there is not what the state has, but was put in its place. */
function requireStillOurs(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: Target,
  observed: Observed<Values, Values>,
): void {
  const telling = identifyingOutputs(resource, pickOutputs(resource, state), runtime.redact);
  const named = identifyingInputs(resource, pickDeclared(resource, state), runtime.redact);
  const name = differenceFrom(resource, named, telling, observed);
  if (name === undefined) return;
  const seen = { ...observed.outputs, ...observed.inputs }[name];
  const owner = ownerOf(state);
  const urn = isUrn(owner) ? owner : "<urn>";
  throw new InvalidInputError(
    name,
    `The ${resource.type} ${id} was not deleted, because someone has replaced it since. Its ${name} is ${JSON.stringify(seen)}; in ` +
      `Pulumi's state it is ${JSON.stringify(state[name])}. To keep the new one, ` +
      `remove the old one from the state with \`pulumi state delete ${quoteForShell(urn)}\`. To delete it, run \`pulumi refresh\` first.`,
  );
}
