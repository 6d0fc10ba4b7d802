import type { Context, ObjectLedger } from "../../define/context";
import type { AnyResource } from "../../define/resource";
import { listSharers } from "../step/ownership";
import {
  createStepContext,
  createStepDeadline,
  type Runtime,
  type StepDeadline,
  type StepOptions,
} from "../step/runtime";
import type { Values } from "../../define/values";
import type { Claim } from "../../ledger/claim";
import { SentRequests } from "../../ledger/sent-requests";
import type { SentRequest } from "../../ledger/ledger-record";

/** A create step. */
export interface Creation {
  readonly runtime: Runtime;
  readonly ctx: Context;
  readonly deadline: StepDeadline;
  readonly resource: AnyResource;
  readonly inputs: Values;
  readonly claim: Claim;
}

export function beginCreation(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
  claim: Claim,
): Creation {
  // When the create is sent again after an unclear outcome, it knows what the first attempt had found.
  const kept: Values = {};
  const deadline = createStepDeadline(runtime, resource, "create", inputs);
  const ctx = createStepContext(runtime, resource, "create", inputs, {
    claim,
    // Others may have made something since the run first read a listing.
    shared: runtime.shared.fromNow(),
    deadline,
    ledger: {
      kept,
      keep: (_, outputs) => void Object.assign(kept, outputs),
      otherOwners: listSharers(runtime, claim).map(({ shared }) => shared),
    },
  });
  return { runtime, ctx, deadline, resource, inputs, claim };
}

/** The same step with the same deadline, and with other shared calls, listeners or records. */
export function adjustCreation(
  creation: Creation,
  { ledger, ...options }: StepOptions & { readonly ledger?: Partial<ObjectLedger> },
): Creation {
  const { runtime, resource, inputs, ctx, deadline, claim } = creation;
  const { shared, failures } = ctx;
  const same = { claim, shared, deadline, failures, ledger: { ...ctx.ledger, ...ledger } };
  return {
    ...creation,
    ctx: createStepContext(runtime, resource, "create", inputs, { ...same, ...options }),
  };
}

/** The requests of the step; `record` is called with each before it leaves. */
export function trackRequests(
  { runtime }: Creation,
  record: (requests: readonly SentRequest[]) => void,
  earlier: readonly SentRequest[] = [],
): SentRequests {
  return new SentRequests(() => runtime.client().serviceTimeMs(), record, earlier);
}
