import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineAction, createDoneState, everyAction, ranAt } from "../define-action";
import { forgetProject } from "../../lookup/listed-project";
import { poll } from "../../waiting/poll";
import { createTerminalError, isKnownStatus, isRestoring } from "../../waiting/project-state";
import type { Context } from "../../define/context";
import { projectRef } from "../../define/shared-inputs";

const problems = {
  endedBefore: defineProblem({
    says: "The restore of the project {ref} ended before it could be cancelled. The project is {status}. {remedy}.",
    means: "The restore ended before the cancellation took effect.",
    remedy: "Remove the action from the program. To pause the project, declare `paused: true` in the Project",
  }),
};

/** Whether a restore may be under way (service, Projects): in a state that this version does not know, the service decides. */
function mayBeRestoring(status: string): boolean {
  return isRestoring(status) || status === "UNKNOWN" || !isKnownStatus(status);
}

/** Cancels the restore of a project. */
export const restoreCancellation = defineAction({
  type: "RestoreCancellation",
  description:
    "Cancels the restore of a paused project and waits until the project is paused again. If no restore is in progress, it does nothing and says so in the output of the run.",
  inputs: z.strictObject({ projectRef, ...everyAction }),
  outputs: z.object({ ranAt }),
  timeouts: { create: 900, update: 300, delete: 300 },
  target: "projectRef",
  // The state of the project shows whether it happened: what is paused is not cancelled again.
  isRepeatable: true,
  problems,

  async run(ctx, { projectRef: ref }) {
    const before = await readStatus(ctx, ref);
    if (!mayBeRestoring(before)) {
      ctx.info(`the project is ${before}. No restore is in progress, so nothing was cancelled.`);
      return createDoneState(ctx, {});
    }
    await ctx.api.cancelRestore({ ref });
    await waitUntilPaused(ctx, ref);
    return createDoneState(ctx, {});
  },
});

async function waitUntilPaused(ctx: Context, ref: string): Promise<void> {
  forgetProject(ctx, ref);
  await poll<string, undefined>(ctx, {
    what: `the cancellation of the restore of ${ref}`,
    look: () => readStatus(ctx, ref),
    judge(status) {
      if (status === "INACTIVE") return { kind: "done", value: undefined };
      const broken = createTerminalError(`project ${ref}`, status, ctx.findUrn(ref));
      if (broken !== undefined) return { kind: "failed", error: broken };
      if (status === "ACTIVE_HEALTHY")
        return { kind: "failed", error: new Error(problems.endedBefore.message({ ref, status })) };
      return { kind: "waiting", reason: `it is ${status}` };
    },
  });
}

async function readStatus(ctx: Context, ref: string): Promise<string> {
  const { status } = await ctx.api.getProject({ ref });
  return status ?? "without a status";
}
