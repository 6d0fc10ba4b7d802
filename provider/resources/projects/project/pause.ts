import { ApiError, InvalidInputError, isNotFound } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { isRestoring, trackRestore } from "../../../waiting/project-state";
import { poll } from "../../../waiting/poll";
import { writeOnce } from "../../../waiting/write-once";
import { problems } from "./problems";
import { statusOf, waitForProject, waitUntilActive, type ProjectRecord } from "./status";

/** How long a project may still look paused after its restoration was asked for. */
const RESTORE_BEGINS_WITHIN_MS = 120_000;

/** Pauses an active project and waits until it is INACTIVE. */
export async function pauseAndWait(ctx: Context, ref: string): Promise<ProjectRecord> {
  await writeOnce<unknown>(ctx, {
    send: () => requestPause(ctx, ref),
    findResult: () => findArrival(ctx, ref, ["PAUSING", "INACTIVE", "PAUSE_FAILED"]),
  });
  return waitForProject(ctx, ref, { at: ["INACTIVE"] });
}

/** How long a project may refuse to be paused after it was restored (service, Paused projects). */
const SETTLES_WITHIN_MS = 60_000;

async function requestPause(ctx: Context, ref: string): Promise<true> {
  const untilMs = ctx.clock.now() + SETTLES_WITHIN_MS;
  return poll<ApiError | undefined, true>(ctx, {
    what: `the project ${ref} to take a pause`,
    look: async () => {
      try {
        await ctx.api.pauseProject({ ref });
        return undefined;
      } catch (error) {
        if (isForFreeOnly(error)) throw createPaidPlanError(ref, error);
        const isEarly = error instanceof ApiError && error.status === 400 && !isNotFound(error);
        if (!isEarly || ctx.clock.now() >= untilMs) throw error;
        return error;
      }
    },
    judge: (refusal) =>
      refusal === undefined
        ? { kind: "done", value: true }
        : { kind: "waiting", reason: refusal.serviceMessage },
  });
}

/** Projects of a paid plan are not paused (service, Compute size). */
function isForFreeOnly(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400 && /not free.?tier/i.test(error.serviceMessage);
}

function createPaidPlanError(ref: string, { serviceMessage }: ApiError): InvalidInputError {
  return new InvalidInputError("paused", problems.onPaidPlan.message({ ref, answer: serviceMessage }));
}

/** Restores a paused project and waits until it is ACTIVE_HEALTHY; a failed restoration falls back to INACTIVE. */
export async function restoreAndWait(ctx: Context, ref: string): Promise<ProjectRecord> {
  return trackRestore(ctx, ref, () => restoreNow(ctx, ref));
}

async function restoreNow(ctx: Context, ref: string): Promise<ProjectRecord> {
  ctx.progress("restoring the paused project");
  await requestRestore(ctx, ref);
  const askedAtMs = ctx.clock.now();
  let hasBegun = false;
  return waitForProject(ctx, ref, {
    at: ["ACTIVE_HEALTHY"],
    failure(status) {
      hasBegun ||= isRestoring(status);
      const isOverdue = ctx.clock.now() - askedAtMs > RESTORE_BEGINS_WITHIN_MS;
      return status === "INACTIVE" && (hasBegun || isOverdue)
        ? new Error(problems.pausedAgain.message({ ref }))
        : undefined;
    },
  });
}

async function requestRestore(ctx: Context, ref: string): Promise<void> {
  await writeOnce<unknown>(ctx, {
    send: async () => ctx.api.restoreProject({ ref }).then(() => true),
    findResult: () => findArrival(ctx, ref, ["RESTORING", "COMING_UP", "ACTIVE_HEALTHY", "RESTORE_FAILED"]),
  });
}

/** Where the project rests: waits until it does not change by itself any more. */
export async function waitUntilAtRest(
  ctx: Context,
  ref: string,
  isUnchanged: boolean,
): Promise<ProjectRecord> {
  return waitForProject(ctx, ref, { at: ["ACTIVE_HEALTHY", "INACTIVE"], isUnchanged });
}

/** An active project, restored first where that is declared. */
export async function makeActive(
  ctx: Context,
  ref: string,
  isRestoreDeclared: boolean,
): Promise<ProjectRecord> {
  const project = await waitUntilAtRest(ctx, ref, true);
  if (statusOf(project) !== "INACTIVE") return project;
  return isRestoreDeclared ? restoreAndWait(ctx, ref) : waitUntilActive(ctx, ref);
}

async function findArrival(ctx: Context, ref: string, states: readonly string[]): Promise<true | undefined> {
  return states.includes(statusOf(await ctx.api.getProject({ ref }))) ? true : undefined;
}
