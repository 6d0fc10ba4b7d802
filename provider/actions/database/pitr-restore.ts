import { z } from "zod";
import { isAmbiguous, isTransient } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { confirmation, defineAction, doneNow, everyAction, ranAt } from "../define-action";
import { forgetProject } from "../../lookup/listed-project";
import { poll, type Verdict } from "../../waiting/poll";
import { realtimeProblems, restProblems } from "../../define/problems";
import { waitForServices } from "../../waiting/project-health";
import { terminalError, waitThroughStates } from "../../waiting/project-state";
import { BRANCH_REFUSED, REALTIME_LAST } from "../../waiting/starting-calls";
import type { Context } from "../../define/context";
import { comparedBy, formed, replaces } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";

const problems = {
  ...restProblems,
  ...realtimeProblems,
  unknown: defineProblem({
    says: "Whether the restore of the project {ref} to {time} has started is unknown: the request had no answer or its run was killed, and no restore is in progress. The provider does not repeat it. {remedy}.",
    means: "The service shows a restore only while it is in progress.",
    remedy:
      'Check the data of the project. If it was restored, add `adoptId: "{id}"` to the action. If not, change `triggers`. Then run again',
  }),
  failed: defineProblem({
    says: "The restore of the project {ref} to {time} failed: the project is {status}. {remedy}.",
    means: "After a restore, the project is paused or in a state that does not change without action.",
    remedy: "Restore it in the service's console or ask the service's support, then run again",
  }),
};

/** How long after the answer the project may still be shown as healthy. */
const SHOWN_WITHIN_MS = 60_000;

const inputs = z.strictObject({
  projectRef,
  confirm: confirmation("the loss of all data written to `projectRef` after `recoveryTime`"),
  recoveryTime: replaces(
    comparedBy(
      formed(
        z.iso.datetime({ offset: true }),
        "a time in ISO 8601 with `Z` or an offset",
        "2027-01-31T18:00:00Z",
      ).describe("Point in time to restore, ISO 8601, to the second."),
      (time) => (typeof time === "string" ? toSeconds(time) : time),
    ),
  ),
  ...everyAction,
});

/** Takes a project back to a point in time. */
export const pitrRestore = defineAction({
  type: "PitrRestore",
  description:
    "Restores the data of a project to a point in time. Everything written after that time is lost, and the project is unavailable during the restore. Requires the add-on `pitr`. Creation waits until the project is healthy again. If it is unknown whether a restore has started, the provider does not start it again.",
  inputs,
  outputs: z.object({ ranAt }),
  timeouts: { create: 7_200, update: 7_200, delete: 300 },
  target: "projectRef",
  needsConfirmation: true,
  problems,
  conditionalCalls: [
    ["getProject", ["update"], "after an incomplete creation"],
    ["getHealth", ["update"], "after an incomplete creation"],
    ["getBranchConfig", ["create"], BRANCH_REFUSED],
    ["getRealtimeConfig", ["create", "update"], REALTIME_LAST],
  ],

  async run(ctx, { projectRef: ref, recoveryTime }) {
    await waitThroughStates(ctx, ref);
    const made = doneNow(ctx, {});
    // What may have been sent is never sent again, whatever becomes of this process.
    ctx.keep(made.id, { sentAt: made.outputs.ranAt });
    try {
      const body = { recovery_time_target_unix: toSeconds(recoveryTime) };
      await ctx.api.restorePitr({ ref, body });
    } catch (error) {
      if (!isAmbiguous(error)) throw error;
      ctx.progress("the restore request had no answer: checking whether the restore has started");
      return { id: made.id };
    }
    ctx.keep(made.id, made.outputs);
    return made;
  },

  // Without `ranAt` nobody knows yet whether it was begun.
  async settle(ctx, { id, inputs: { projectRef: ref, recoveryTime: time, adoptId }, state }) {
    forgetProject(ctx, ref);
    const sentMs = Date.parse(state.ranAt ?? String(ctx.kept["sentAt"])) || 0;
    const wasRestoring = await waitUntilHealthy(ctx, { ref, time, lookUntilMs: sentMs + SHOWN_WITHIN_MS });
    if (!wasRestoring && state.ranAt === undefined && adoptId !== id) {
      throw new Error(problems.unknown.message({ ref, time, id }));
    }
    await waitForServices(ctx, ref);
    const seenAt = wasRestoring ? new Date(ctx.clock.now()).toISOString() : undefined;
    return { inputs: {}, outputs: { ranAt: state.ranAt ?? seenAt } };
  },
});

interface Restore {
  readonly ref: string;
  readonly time: string;
  /** A project that is healthy before then may not show its restore yet. */
  readonly lookUntilMs: number;
}

/** Waits until the project is healthy; returns whether it was seen in another state, which shows the restore. */
async function waitUntilHealthy(ctx: Context, { ref, time, lookUntilMs }: Restore): Promise<boolean> {
  let wasRestoring = false;
  await poll<string, undefined>(ctx, {
    what: `the restore of the project ${ref}`,
    look: async () => (await ctx.api.getProject({ ref })).status ?? "without a status",
    judge(status): Verdict<undefined> {
      const isBroken = status === "INACTIVE" || terminalError(ref, status) !== undefined;
      if (isBroken) {
        return { kind: "failed", error: new Error(problems.failed.message({ ref, time, status })) };
      }
      if (status !== "ACTIVE_HEALTHY") wasRestoring = true;
      const isOver = status === "ACTIVE_HEALTHY" && (wasRestoring || ctx.clock.now() >= lookUntilMs);
      return isOver ? { kind: "done", value: undefined } : { kind: "waiting", reason: `it is ${status}` };
    },
    mayPass: isTransient,
  });
  return wasRestoring;
}

function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
