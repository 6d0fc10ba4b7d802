import { ForbiddenError, isNotFound } from "../client/errors/errors";
import type { Context } from "../define/context";
import { poll } from "./poll";
import { waitForServices } from "./project-health";

/**
 * Waits until the database that a write may have restarted is healthy; `isWanted` where it surely has. A project shows its
 * restart in its status; a branch, which has no project of its own ref, in its health only.
 */
export async function waitForRestart(ctx: Context, ref: string, isWanted = false): Promise<void> {
  let hasRestarted = isWanted;
  await poll<boolean, undefined>(ctx, {
    what: `the database of ${ref} to restart`,
    look: () => isRestarting(ctx, ref, isWanted),
    judge: (restarting) => {
      hasRestarted ||= restarting;
      return restarting ? { kind: "waiting", reason: "RESTARTING" } : { kind: "done", value: undefined };
    },
  });
  if (hasRestarted) await waitForServices(ctx, ref, ["db"]);
}

/** A token that may not look at the project does not fail a write that wanted no restart. */
async function isRestarting(ctx: Context, ref: string, isWanted: boolean): Promise<boolean> {
  try {
    return (await ctx.api.getProject({ ref })).status === "RESTARTING";
  } catch (error) {
    if (isNotFound(error) || (error instanceof ForbiddenError && !isWanted)) return false;
    throw error;
  }
}
