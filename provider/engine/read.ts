import { isDeepStrictEqual } from "node:util";
import { NotFoundError } from "../client/errors/errors";
import { listDifferences } from "../define/compare";
import { listMarkedFields, holdsSecret } from "../define/markers";
import { formatPath } from "../define/property-path";
import type { AnyResource, ObservedResource } from "../define/resource";
import { judgeAbsence, judgeEmptyAnswer, judgeFailedRead, warnOfKept } from "./absence";
import { createStepContext, type Runtime } from "./step/runtime";
import { pick, type Values } from "../define/values";
import { pickDeclared, composeState, upgradeState } from "./step/state";
import { createClaim, withId } from "../ledger/claim";
import { readMarks, writeMarks, keepMarks } from "../define/state-marks";
import { OWNER } from "../ledger/owner";
import { answerOf } from "./step/observe";

export interface ReadResult {
  readonly id: string;
  readonly state: Values;
  /** The declared inputs as the service has them. */
  readonly inputs: Values;
}

/** What the service has now; undefined only when it is proven that the resource is gone. What is not found otherwise stays as it is. */
export async function readResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  recorded: Values,
): Promise<ReadResult | undefined> {
  const state = upgradeState(resource, recorded);
  const claim = withId(createClaim(resource, state), id);
  const left = runtime.ledger.confirmRecorded(claim, state);
  runtime.program.recordState(resource, state, left);
  const ctx = createStepContext(runtime, resource, "read", state, {
    claim,
    ledger: { kept: left ?? {}, isAdopted: readMarks(state).isAdopted },
  });
  const names = listMarkedFields(resource.inputs).map(([name]) => name);
  const declared = pickDeclared(resource, state);
  const kept = pick(
    state,
    Object.keys(state).filter((name) => name !== OWNER),
  );
  const keepState = async (reason: string): Promise<ReadResult> => {
    await warnOfKept(ctx, resource, { id, state }, reason);
    return { id, state: kept, inputs: pick(state, Object.keys(declared)) };
  };
  let observed: ObservedResource<Values, Values> | NotFoundError | undefined;
  try {
    observed = await answerOf(resource.read(ctx, { id, state, isRefresh: true }));
  } catch (error) {
    const doubt = await judgeFailedRead(ctx, resource, state, error);
    if (doubt === "none") throw error;
    return doubt === "removed" ? undefined : keepState(doubt.reason);
  }
  if (observed === undefined || observed instanceof NotFoundError) {
    const absence = await judgeAbsence(
      ctx,
      runtime,
      resource,
      { id, state },
      { step: "read", answer: observed },
    );
    return absence.isGone ? undefined : keepState(absence.reason);
  }
  const composed = keepMarks(state, composeState(resource, declared, observed));
  const remembered = readMarks(state).isPending ? writeMarks(composed, { isPending: true }) : composed;
  if (!isDeepStrictEqual(remembered, kept)) {
    const doubt = await judgeEmptyAnswer(ctx, runtime, resource, { id, state }, "read");
    if (doubt !== "none") return doubt === "removed" ? undefined : keepState(doubt.reason);
  }
  const hidden = listHiddenDrift(resource, declared, remembered);
  if (hidden.length > 0) ctx.info(describeHiddenDrift(hidden));
  return {
    id,
    state: remembered,
    inputs: pick(
      remembered,
      names.filter((name) => name in declared),
    ),
  };
}

function describeHiddenDrift(paths: readonly string[]): string {
  return `${paths.join(", ")} changed outside this program. Pulumi shows secret values as [secret], before and after.`;
}

/**
 * The paths of inputs that the service has otherwise than the state, in properties of which the engine shows
 * `[secret]` before and after: nobody would see from a refresh what changed.
 */
export function listHiddenDrift(resource: AnyResource, state: Values, observed: Values): string[] {
  return listMarkedFields(resource.inputs)
    .filter(([name, field]) => holdsSecret(field) && name in state)
    .flatMap(([name, field]) => listDifferences(field, observed[name], state[name], [name]))
    .map(({ path }) => formatPath(path));
}
