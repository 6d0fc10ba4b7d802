import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineAction, doneNow, everyAction, ranAt } from "../define-action";
import { OwnerExistsError } from "../../lookup/owner";
import { NotReadyError, whenReady } from "../../waiting/project-health";
import { realtimeProblems } from "../../define/problems";
import { REALTIME_LAST, startingCalls } from "../../waiting/starting-calls";
import { projectRef } from "../../define/shared-inputs";

const problems = {
  ...realtimeProblems,
  notRunning: defineProblem({
    says: "Realtime of {ref} is not running, so there was no connection to close. {remedy}. (The service says: {answer})",
    means: "404 of a project that is there: its realtime is suspended or does not start.",
    remedy:
      "If it is meant to run, look at `suspend` of the resource `RealtimeConfig` and run again; otherwise take the action out of the program",
  }),
};

/** Closes the connections of a project's realtime. */
export const realtimeShutdown = defineAction({
  type: "RealtimeShutdown",
  description:
    "Closes all connections to the realtime service of a project, whose clients connect again. To keep realtime off, use `suspend` of RealtimeConfig.",
  inputs: z.strictObject({ projectRef, ...everyAction }),
  outputs: z.object({ ranAt }),
  timeouts: { create: 300, update: 300, delete: 300 },
  target: "projectRef",
  // Where no connection is left, none is closed.
  isRepeatable: true,
  problems,
  conditionalCalls: [...startingCalls("create"), ["getRealtimeConfig", ["create"], REALTIME_LAST]],

  async run(ctx, { projectRef: ref }) {
    await whenReady(ctx, ref, ["realtime"], async () => {
      try {
        await ctx.api.ofEveryProject(ref, () => ctx.api.shutDownRealtime({ ref }));
      } catch (error) {
        if (!(error instanceof OwnerExistsError)) throw error;
        throw new NotReadyError(problems.notRunning.message({ ref, answer: error.serviceMessage }));
      }
    });
    return doneNow(ctx, {});
  },
});
