import type { Context } from "../../define/context";
import type { AnyResource } from "../../define/resource";
import { ownersBefore } from "../step/ownership";
import { contextFor, stepDeadline, type Runtime, type StepDeadline, type StepOptions } from "../step/runtime";
import type { Values } from "../step/state";
import type { JournalSubject } from "../../ledger/journal";
import { journalSubject } from "../step/journal-subject";
import { SentRequests } from "../../ledger/sent-requests";
import type { SentRequest } from "../../ledger/entry";

/** A create step. */
export interface Creation {
  readonly runtime: Runtime;
  readonly ctx: Context;
  readonly deadline: StepDeadline;
  readonly resource: AnyResource;
  readonly inputs: Values;
  /** Undefined where nothing shows which resource of a program this is: its creates are in no journal. */
  readonly subject: JournalSubject | undefined;
}

export function beginCreation(runtime: Runtime, resource: AnyResource, inputs: Values): Creation {
  // A create that is sent again after an unclear outcome knows what the first one had found.
  const kept: Values = {};
  const deadline = stepDeadline(runtime, resource, "create", inputs);
  const ctx = contextFor(runtime, resource, "create", inputs, {
    // What others made since the run first looked exists as well.
    shared: runtime.shared.fromNow(),
    kept,
    deadline,
    keep: (_, outputs) => void Object.assign(kept, outputs),
    others: ownersBefore(runtime, resource, inputs).map(({ shared }) => shared),
  });
  return { runtime, ctx, deadline, resource, inputs, subject: journalSubject(runtime, resource, inputs) };
}

/** The same step to the same deadline, with other calls, records or knowledge. */
export function within(creation: Creation, options: StepOptions): Creation {
  const { runtime, resource, inputs, ctx, deadline } = creation;
  const { shared, kept, keep, others } = ctx;
  const same = { shared, deadline, kept, keep, others };
  return { ...creation, ctx: contextFor(runtime, resource, "create", inputs, { ...same, ...options }) };
}

/** Requests of the step, each told to `record` before it leaves. */
export function recordRequests(
  { runtime }: Creation,
  record: (requests: readonly SentRequest[]) => void,
  earlier: readonly SentRequest[] = [],
): SentRequests {
  return new SentRequests(() => runtime.client().serviceTimeMs(), record, earlier);
}
