import { z } from "zod";
import { isAmbiguous, isTransient } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { explainUnavailable, restoreProblems } from "../../../resources/database/shared/restore-points";
import { realtimeProblems, restProblems } from "../../../define/problems";
import { forgetProject } from "../../../lookup/listed-project";
import { poll, type Verdict } from "../../../waiting/poll";
import { waitForServices } from "../../../waiting/project-health";
import { createTerminalError, isRestoring, waitThroughStates } from "../../../waiting/project-state";
import { createDoneState, ranAt, type ActionDefinition } from "../../define-action";

const problems = {
  ...restoreProblems,
  ...restProblems,
  ...realtimeProblems,
  unknown: defineProblem({
    says: "Whether the restore of the project {ref} to {to} has started is unknown: the request had no answer or its run was killed, and no restore is in progress. The provider does not repeat it. {remedy}.",
    means: "The service shows a restore only while it is in progress.",
    remedy:
      'Check the data of the project. If it was restored, add `adoptId: "{id}"` to the action. If not, change `triggers`. Then run again',
  }),
  failed: defineProblem({
    says: "The restore of the project {ref} to {to} failed: the project is {status}. {remedy}.",
    means: "After a restore, the project is paused or in a state that does not change without action.",
    remedy: "Restore it in the service's console or ask the service's support, then run again",
  }),
};

/** How long after the answer the project may still be shown as healthy. */
const SHOWN_WITHIN_MS = 60_000;
/** The same after a request without an answer, on which the service may still be working. */
const SHOWN_WITHOUT_ANSWER_WITHIN_MS = 6 * 60_000;

const outputs = z.object({ ranAt });

interface RestoreInputs {
  readonly projectRef: string;
  readonly adoptId?: string | undefined;
}

/**
 * An action that takes a project's database back, by `send`: the service shows it only while it is under way. `describe` says to
 * what.
 */
export function runRestore<I extends RestoreInputs>(
  send: (ctx: Context, inputs: I) => Promise<unknown>,
  describe: (inputs: I) => string,
) {
  const steps: Pick<ActionDefinition<I, z.output<typeof outputs>>, "run" | "settle"> = {
    async run(ctx, inputs) {
      await waitThroughStates(ctx, inputs.projectRef);
      const made = createDoneState(ctx, {});
      // What may have been sent is never sent again, whatever becomes of this process.
      ctx.ledger.keep(made.id, { sentAt: made.outputs.ranAt });
      try {
        await send(ctx, inputs);
      } catch (error) {
        if (!isAmbiguous(error)) throw explainUnavailable(error, restoreProblems);
        ctx.progress("the restore request had no answer: checking whether the restore has started");
        return { id: made.id };
      }
      ctx.ledger.keep(made.id, made.outputs);
      return made;
    },

    // Without `ranAt` it is not known yet whether it was begun.
    async settle(ctx, { id, inputs, state }) {
      const { projectRef: ref, adoptId } = inputs;
      forgetProject(ctx, ref);
      const to = describe(inputs);
      const sentMs = Date.parse(state.ranAt ?? String(ctx.ledger.kept["sentAt"])) || 0;
      const isAnswered = state.ranAt !== undefined || adoptId === id;
      const shownWithinMs = isAnswered ? SHOWN_WITHIN_MS : SHOWN_WITHOUT_ANSWER_WITHIN_MS;
      const wasRestoring = await waitUntilHealthy(ctx, { ref, to, lookUntilMs: sentMs + shownWithinMs });
      if (!wasRestoring && !isAnswered) {
        throw new Error(problems.unknown.message({ ref, to, id }));
      }
      await waitForServices(ctx, ref);
      const seenAt = wasRestoring ? new Date(ctx.clock.now()).toISOString() : undefined;
      return { inputs: {}, outputs: { ranAt: state.ranAt ?? seenAt } };
    },
  };
  return {
    ...steps,
    outputs,
    timeouts: { create: 7_200, update: 7_200, delete: 300 },
    target: "projectRef",
    needsConfirmation: true,
    problems,
  } as const;
}

interface ProjectRestore {
  readonly ref: string;
  readonly to: string;
  /** A project that is healthy before then may not show its restore yet. */
  readonly lookUntilMs: number;
}

/** Waits until the project is healthy; returns whether it was seen in a state that shows the restore. */
async function waitUntilHealthy(ctx: Context, { ref, to, lookUntilMs }: ProjectRestore): Promise<boolean> {
  let wasRestoring = false;
  await poll<string, undefined>(ctx, {
    what: `the restore of the project ${ref}`,
    look: async () => (await ctx.api.getProject({ ref })).status ?? "without a status",
    judge(status): Verdict<undefined> {
      const isBroken =
        status === "INACTIVE" || createTerminalError(ref, status, ctx.findUrn(ref)) !== undefined;
      if (isBroken) return { kind: "failed", error: new Error(problems.failed.message({ ref, to, status })) };
      wasRestoring ||= isRestoring(status);
      const isOver = status === "ACTIVE_HEALTHY" && (wasRestoring || ctx.clock.now() >= lookUntilMs);
      return isOver ? { kind: "done", value: undefined } : { kind: "waiting", reason: `it is ${status}` };
    },
    mayPass: isTransient,
  });
  return wasRestoring;
}
