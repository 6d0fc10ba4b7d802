import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineAction, createDoneState, everyAction, ranAt } from "../define-action";
import { OwnerExistsError } from "../../lookup/owner";
import { isNotFound } from "../../client/errors/errors";
import { NotReadyError, callWhenReady } from "../../waiting/project-health";
import { waitThroughStates } from "../../waiting/project-state";
import { realtimeProblems } from "../../define/problems";
import { projectRef } from "../../define/shared-inputs";

const problems = {
  ...realtimeProblems,
  notRunning: defineProblem({
    says: "Realtime of {ref} is not running, so there are no connections to close. {remedy}. (The service says: {answer})",
    means: "The service answered 404 although the project exists: realtime is suspended or does not start.",
    remedy:
      "If realtime should run, check `suspend` in `RealtimeConfig` and run again. Otherwise, remove the action from the program",
  }),
};

/** Closes the connections of a project's realtime. */
export const realtimeShutdown = defineAction({
  type: "RealtimeShutdown",
  description:
    "Closes all connections to the realtime service of a project. Clients reconnect. To keep realtime off, use `suspend` in `RealtimeConfig`.",
  inputs: z.strictObject({ projectRef, ...everyAction }),
  outputs: z.object({ ranAt }),
  timeouts: { create: 300, update: 300, delete: 300 },
  target: "projectRef",
  // Where no connection is left, none is closed.
  isRepeatable: true,
  problems,

  async run(ctx, { projectRef: ref }) {
    await callWhenReady(ctx, ref, ["realtime"], async () => {
      try {
        await ctx.api.ofEveryProject(ref, () => ctx.api.shutDownRealtime({ ref }));
      } catch (error) {
        // A project that is being removed answers as one that is gone.
        if (isNotFound(error)) await waitThroughStates(ctx, ref);
        if (!(error instanceof OwnerExistsError)) throw error;
        throw new NotReadyError(problems.notRunning.message({ ref, answer: error.serviceMessage }));
      }
    });
    return createDoneState(ctx, {});
  },
});
