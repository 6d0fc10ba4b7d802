import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { ApiError } from "../../client/errors/errors";
import { replaceMessage } from "../../client/errors/with-message";
import { forgetProject } from "../../lookup/listed-project";
import { waitForServices, waitUntilRestartShows } from "../../waiting/project-health";
import { waitThroughStates } from "../../waiting/project-state";
import { projectRef } from "../../define/shared-inputs";
import { defineAction, createDoneState, everyAction, ranAt } from "../define-action";

const problems = {
  notRestarted: defineProblem({
    says: "The project {ref} was not restarted: {answer} {remedy}.",
    means: "The service answered 500, although the project is neither paused nor changing.",
    remedy: "Run `pulumi up` again. If it fails again, restart the project in the service's console",
  }),
};

/** Restarts a project. */
export const projectRestart = defineAction({
  type: "ProjectRestart",
  description:
    "Restarts the database and the services of a project, and waits until they are healthy. Auth, storage and the pooler do not answer for one to three minutes.",
  inputs: z.strictObject({ projectRef, ...everyAction }),
  outputs: z.object({ ranAt }),
  timeouts: { create: 900, update: 300, delete: 300 },
  target: "projectRef",
  // A second restart does no more than the first.
  isRepeatable: true,
  problems,

  async run(ctx, { projectRef: ref }) {
    await waitThroughStates(ctx, ref);
    try {
      await ctx.api.restartProject({ ref });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 500) throw error;
      throw replaceMessage(error, problems.notRestarted.message({ ref, answer: error.message }));
    }
    forgetProject(ctx, ref);
    return createDoneState(ctx, {});
  },

  async settle(ctx, { state, inputs: { projectRef: ref } }) {
    await waitUntilRestartShows(ctx, ref);
    await waitForServices(ctx, ref);
    return { inputs: {}, outputs: { ranAt: state.ranAt } };
  },
});
