import { isNotFound } from "../client/errors/errors";
import { PartialError, type AnyResource, type ObservedResource } from "../define/resource";
import { InitializationError, explainGone } from "./step/errors";
import { declareOwner } from "./step/ownership";
import { createClaim, withId } from "../ledger/claim";
import { readOwner } from "../ledger/owner";
import { refuseOtherService } from "./step/service-address";
import { createStepContext, type Runtime } from "./step/runtime";
import { isOwnKey, pick, omitUndefined, type Values } from "../define/values";
import { pickOutputs, composeState, upgradeState } from "./step/state";
import { diffForUpdate } from "./diff";
import { createPartialFailure, settleResource, type SettledResource } from "./step/settle";
import { keepMarks, readMarks, writeMarks } from "../define/state-marks";

/** Brings the resource to the declared state; a change of the provider's own options makes no call. */
export async function updateResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
  inputs: Values,
): Promise<SettledResource> {
  runtime.ledger.requireOwnFolder();
  const recorded = upgradeState(resource, state);
  return runtime.shared.pace.during(() => changeObject(runtime, resource, { id, state: recorded }, inputs));
}

async function changeObject(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: Pick<SettledResource, "id" | "state">,
  inputs: Values,
): Promise<SettledResource> {
  const { ledger, program } = runtime;
  const claim = withId(createClaim(resource, state, readOwner({ ...state, ...inputs })), id);
  const kept = ledger.confirmRecorded(claim, state);
  program.forgetCheck(resource.type, claim.owner);
  const { changed, renewed, recorded } = diffForUpdate(resource, state, inputs, runtime.clock.now());
  const outputs = pickOutputs(resource, state);
  const isToChange = changed.size > 0 || renewed.length > 0 || recorded.length > 0 || kept !== undefined;
  if (!isToChange && !readMarks(state).isPending) {
    return { id, state: keepMarks(state, composeState(resource, inputs, { outputs })) };
  }
  const keep = (of: string, outputs: Values): void => ledger.keepOutputs(withId(claim, of), outputs);
  const otherOwners = ledger.owners.listOthers(claim).map(({ shared }) => shared);
  const ctx = createStepContext(runtime, resource, "update", inputs, {
    claim,
    ledger: { keep, kept: kept ?? {}, otherOwners, isAdopted: readMarks(state).isAdopted },
  });
  const current: Values = Object.fromEntries(
    Object.entries(state).filter(([name]) => !isOwnKey(name) || name in (resource.bookkeeping?.shape ?? {})),
  );
  try {
    const updated = isToChange ? await resource.update?.(ctx, { id, state: current, inputs, changed }) : {};
    const seen = keepOutputs(outputs, updated ?? {});
    const settled = await settleResource(ctx, resource, id, inputs, seen);
    const made = {
      id,
      state: writeMarks(keepMarks(state, settled.state), { service: runtime.baseUrl() }),
    };
    declareOwner(runtime, resource, claim, made.state);
    program.recordInheritance(resource, made.state);
    // From now on it is this that the engine has to show.
    if (kept !== undefined) keep(id, pick(made.state, Object.keys(kept)));
    return made;
  } catch (error) {
    const failure =
      error instanceof PartialError
        ? createPartialFailure(resource, id, inputs, keepOutputs(outputs, error.seen), error.cause)
        : error;
    if (failure instanceof InitializationError)
      throw new InitializationError(id, keepMarks(state, failure.state), failure.cause);
    if (isNotFound(error)) refuseOtherService(runtime, resource, { id, state });
    throw explainGone(resource.type, id, error);
  }
}

/** What a write shows; what its answer leaves out is as it was. */
function keepOutputs(
  outputs: Values,
  seen: Partial<ObservedResource<Values, Values>>,
): Partial<ObservedResource<Values, Values>> {
  return { ...seen, outputs: { ...outputs, ...omitUndefined(seen.outputs ?? {}) } };
}
