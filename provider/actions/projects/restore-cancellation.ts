import { z } from "zod";
import { defineProblem } from "../../client/problem";
import { defineAction, done, everyAction, ranAt } from "../../converge/action";
import { forgetProject } from "../../converge/listed-project";
import { poll } from "../../converge/poll";
import { terminalError } from "../../converge/project-state";
import type { Context } from "../../define/context";
import { projectRef } from "../../define/shared-inputs";

const problems = {
  nothingToCancel: defineProblem({
    says: "No restore of the project {ref} is under way: it is {status}, so nothing was cancelled. {remedy}.",
    means: "The project is not being restored, or its restore ended before it could be cancelled.",
    remedy: "Take the action out of the program; to pause the project, declare `paused: true` in the Project",
  }),
};

/** States in which a restore may be under way (service, Projects). */
const RESTORING = ["RESTORING", "COMING_UP"];

/** Cancels the restore of a project. */
export const restoreCancellation = defineAction({
  type: "RestoreCancellation",
  description:
    "Cancels the restore of a project that is under way, and waits until the project is paused again. Where the project is paused already, nothing is done.",
  inputs: z.strictObject({ projectRef, ...everyAction }),
  outputs: z.object({ ranAt }),
  timeouts: { create: 900, update: 300, delete: 300 },
  target: "projectRef",
  // The state of the project tells whether it happened: what is paused is not cancelled again.
  isRepeatable: true,
  problems,

  async run(ctx, { projectRef: ref }) {
    const before = await statusOf(ctx, ref);
    if (before !== "INACTIVE") {
      if (!RESTORING.includes(before)) throw nothingToCancel(ref, before);
      await ctx.api.cancelRestore({ ref });
      await untilPaused(ctx, ref);
    }
    return done(ctx, {});
  },
});

async function untilPaused(ctx: Context, ref: string): Promise<void> {
  forgetProject(ctx, ref);
  await poll<string, undefined>(ctx, {
    what: `the restore of ${ref} to be cancelled`,
    look: () => statusOf(ctx, ref),
    judge(status) {
      if (status === "INACTIVE") return { kind: "done", value: undefined };
      const broken = terminalError(`project ${ref}`, status);
      if (broken !== undefined) return { kind: "failed", error: broken };
      if (status === "ACTIVE_HEALTHY") return { kind: "failed", error: nothingToCancel(ref, status) };
      return { kind: "waiting", reason: `it is ${status}` };
    },
  });
}

async function statusOf(ctx: Context, ref: string): Promise<string> {
  const { status } = await ctx.api.getProject({ ref });
  return status ?? "without a status";
}

function nothingToCancel(ref: string, status: string): Error {
  return new Error(problems.nothingToCancel.message({ ref, status }));
}
