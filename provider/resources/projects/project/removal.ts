import { ApiError, isNotFound } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { removeBranchesOf } from "../../branches/branch/removal";
import { lookUpProject, statusOf, type ProjectRecord } from "./status";

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

/** Asks again until the service takes the request: it refuses to delete what is still being made (service, Errors). */
async function requestRemoval(ctx: Context, ref: string): Promise<void> {
  await poll<string | undefined, undefined>(ctx, {
    what: `the project ${ref} to be ready for deletion`,
    look: async () => {
      try {
        await ctx.api.deleteProject({ ref });
        return undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        if (error instanceof ApiError && isNotReady(error)) return error.serviceMessage;
        throw error;
      }
    },
    judge: (refusal) =>
      refusal === undefined ? { kind: "done", value: undefined } : { kind: "waiting", reason: refusal },
  });
}

function isNotReady({ status, serviceMessage }: ApiError): boolean {
  return (status === 400 || status === 409) && /not ready/i.test(serviceMessage);
}
