import { quoteForShell } from "../../spec/shown-text";
import { InvalidInputError, NotFoundError } from "../client/errors/errors";
import { isDueToRemoval } from "../waiting/project-state";
import type { Context } from "../define/context";
import { NotListedError, type AnyResource, type ObservedResource } from "../define/resource";
import { refuseDeleteOfWanted } from "./step/ownership";
import { findDifference, pickIdentifyingInputs, pickIdentifyingOutputs } from "./create/fingerprint";
import { createClaim, withId, type ObjectClaim } from "../ledger/claim";
import { describeOwner, isUrn, readOwner, UNKNOWN_URN } from "../ledger/owner";
import { viewProgram } from "../ledger/program-view";
import type { OwnerRecord } from "../ledger/owner-records";
import { createUnprovenDeleteError, hasNeverExisted, judgeAbsence, judgeEmptyAnswer } from "./absence";
import { answerOf } from "./step/observe";
import { explainSuccession } from "./program-conflicts";
import { refuseRemoval } from "./step/protection";
import { createStepContext, formatKnownSubject, type Runtime } from "./step/runtime";
import type { Values } from "../define/values";
import { pickDeclared, pickOutputs, upgradeState } from "./step/state";
import { readMarks } from "../define/state-marks";

/** Removes the resource; what is gone already is a success, and what another resource has by now is left to it. */
export async function deleteResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
): Promise<void> {
  runtime.ledger.requireOwnFolder();
  const recorded = upgradeState(resource, state);
  await runtime.shared.pace.during(() => removeObject(runtime, resource, id, recorded));
}

async function removeObject(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
): Promise<void> {
  const { ledger, program } = runtime;
  const claim = withId(createClaim(resource, state), id);
  refuseDeleteOfWanted(runtime, claim);
  const others = ledger.owners.listOthers(claim);
  const kept = ledger.confirmRecorded(claim, state);
  const latest = others.at(-1);
  if (latest !== undefined) {
    ledger.owners.remove(claim);
    runtime.warn(describeNewOwner(claim, latest), formatKnownSubject(claim));
    if (!claim.isShared) return;
  }
  const left = explainSuccession(program, resource, state);
  if (left !== undefined) {
    runtime.warn(left, formatKnownSubject(claim));
    viewProgram(runtime, resource, state, { claim }).leaveNames(resource.manages?.names?.(state) ?? []);
    ledger.owners.remove(claim);
    ledger.forgetObject(claim);
    return;
  }
  refuseRemoval(resource, { id, state });
  const otherOwners = others.map(({ shared }) => shared);
  let writes = 0;
  const ctx = createStepContext(runtime, resource, "delete", state, {
    claim,
    ledger: { kept: kept ?? {}, otherOwners, isAdopted: readMarks(state).isAdopted },
    successor: program.findDeclared(resource.type, claim.owner),
    onWrite: () => {
      writes += 1;
      return undefined;
    },
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
      if (!absence.isGone) throw createUnprovenDeleteError(resource, { id, state }, absence.reason);
    } else if (writes === 0) {
      const doubt = await judgeEmptyAnswer(ctx, runtime, resource, { id, state }, "delete");
      if (typeof doubt === "object") throw createUnprovenDeleteError(resource, { id, state }, doubt.reason);
    }
  } catch (error) {
    const isGone =
      (await isGoneWithParent(ctx, state, error)) || (await hasNeverExisted(ctx, resource, state, error));
    if (!isGone) throw error;
  }
  if (latest === undefined) ledger.owners.removeAll(claim);
  ledger.forgetObject(claim);
  // What a run that died may have made within it has gone with it.
  ledger.forgetWithin(claim);
}

async function isGoneWithParent(ctx: Context, { projectRef: ref }: Values, error: unknown): Promise<boolean> {
  return typeof ref === "string" && isDueToRemoval(ctx, ref, error);
}

function describeNewOwner(claim: ObjectClaim, { owner }: OwnerRecord): string {
  if (claim.isShared) {
    return `what ${describeOwner(owner)} declares was kept; only the rest was removed or restored.`;
  }
  if (owner === claim.owner) {
    return (
      "it was neither replaced nor deleted: Pulumi has a newer record of this resource, in this state or, if the resource has moved, in that of another stack. " +
      "Only the old record was removed from this state. If it was to be replaced, run the same command again. " +
      "If it was to be deleted, destroy the stack that has the newer record."
    );
  }
  return (
    `it was not deleted: ${describeOwner(owner)} has it now. Only the old record was removed from Pulumi's state. ` +
    "To delete it, remove that resource from its program. If no stack has that resource, delete it in the service's console."
  );
}

interface DeleteTarget {
  readonly id: string;
  readonly state: Values;
}

/** Deletes the object; returns how the service says that there is none, where it does. */
async function deleteFound(
  ctx: Context,
  runtime: Runtime,
  resource: AnyResource,
  target: DeleteTarget,
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
  { id, state }: DeleteTarget,
  observed: ObservedResource<Values, Values>,
): void {
  const telling = pickIdentifyingOutputs(resource, pickOutputs(resource, state), runtime.redact);
  const named = pickIdentifyingInputs(resource, pickDeclared(resource, state), runtime.redact);
  const name = findDifference(resource, named, telling, observed);
  if (name === undefined) return;
  const seen = { ...observed.outputs, ...observed.inputs }[name];
  const owner = readOwner(state);
  const urn = isUrn(owner) ? owner : UNKNOWN_URN;
  throw new InvalidInputError(
    name,
    `The ${resource.type} ${id} was not deleted, because someone has replaced it since. Its ${name} is ${JSON.stringify(seen)}; in ` +
      `Pulumi's state it is ${JSON.stringify(state[name])}. To keep the new one, ` +
      `remove the old one from the state with \`pulumi state delete ${quoteForShell(urn)}\`. To delete it, run \`pulumi refresh\` first.`,
  );
}
