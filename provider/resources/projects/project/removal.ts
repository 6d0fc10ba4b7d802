import { isNotFound, isRefusal } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { removeBranchesOf } from "../../branches/branch/removal";
import { lookUpProject, statusOf, type ProjectRecord } from "./status";

/** How the service refuses to delete what is still being made, by whichever status (service, Errors). */
const NOT_READY = /not ready/i;

/** Removes the project's branches, then the project, and waits until the service says that it is gone. */
export async function removeProject(ctx: Context, ref: string): Promise<void> {
  const project = await lookUpProject(ctx, ref);
  if (project === undefined) return;
  if (statusOf(project) !== "GOING_DOWN") {
    await removeBranchesOf(ctx, ref);
    await requestRemoval(ctx, ref);
  }
  await poll<ProjectRecord | undefined, undefined>(ctx, {
    what: `the project ${ref} to be gone`,
    look: () => lookUpProject(ctx, ref),
    judge: (seen) =>
      seen === undefined ? { kind: "done", value: undefined } : { kind: "waiting", reason: statusOf(seen) },
  });
}

/** Asks again until the service takes the request. */
async function requestRemoval(ctx: Context, ref: string): Promise<void> {
  await poll<string | undefined, undefined>(ctx, {
    what: `the project ${ref} to be ready for deletion`,
    look: async () => {
      try {
        await ctx.api.deleteProject({ ref });
        return undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        if (isRefusal(error) && NOT_READY.test(error.serviceMessage)) return error.serviceMessage;
        throw error;
      }
    },
    judge: (refusal) =>
      refusal === undefined ? { kind: "done", value: undefined } : { kind: "waiting", reason: refusal },
  });
}
