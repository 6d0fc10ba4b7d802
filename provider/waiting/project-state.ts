import { ApiError, ForbiddenError, isNotFound, isNotReady, isTransient } from "../client/errors/errors";
import type { Context } from "../define/context";
import { isBeingRemoved } from "../define/project-status";
import { poll, type Verdict } from "./poll";
import { waitingProblems } from "../define/problems";

// Its data may still be there, so nothing that removes it is advised.
const BROKEN =
  "Restore it in the service's console or ask the service's support, then run `pulumi up` again.";

const GONE_SOON =
  "It is being removed, which takes some minutes. Afterwards, `pulumi up --refresh` recreates it.";

/** Further states that a project does not leave by itself (service, Projects), and what to do about them. */
const terminal: ReadonlyMap<string, string> = new Map([
  ["PAUSE_FAILED", `Pausing it failed. ${BROKEN}`],
  ["RESTORE_FAILED", `Restoring it failed. ${BROKEN}`],
]);

/** States that a project leaves by itself (service, Projects). */
const TRANSIENT = [
  ...["UNKNOWN", "COMING_UP", "RESTORING", "RESIZING", "UPGRADING", "RESTARTING", "PAUSING"],
  "PROMOTING",
];

/** States in which a project takes changes. */
const SETTLED = ["ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY"];

/**
 * Whether the status shows a restore (service, Projects): a project may have any other for another reason, and one that this version
 * does not know for a reason that it does not know.
 */
export function isRestoring(status: string): boolean {
  return status === "RESTORING" || status === "COMING_UP";
}

/** Whether this version knows what a project of this status does next. */
export function isKnownStatus(status: string): boolean {
  return (
    isBeingRemoved(status) ||
    ["INACTIVE", "INIT_FAILED", ...TRANSIENT, ...SETTLED, ...terminal.keys()].includes(status)
  );
}

/** The error of a project or preview project that will not become usable; undefined while it still can. `urn` is its own. */
export function createTerminalError(subject: string, status: string, urn: string): Error | undefined {
  if (status === "INIT_FAILED")
    return new TerminalStateError(waitingProblems.couldNotStart.message({ subject, urn }));
  if (isBeingRemoved(status))
    return new ProjectBeingRemovedError(`The ${subject} is ${status}. ${GONE_SOON}`);
  const advice = terminal.get(status);
  return advice === undefined ? undefined : new TerminalStateError(`The ${subject} is ${status}. ${advice}`);
}

/** Waiting is pointless: the project is in a state that it does not leave by itself. */
export class TerminalStateError extends Error {}

/** The project is being removed: what is deleted from it will be gone with it. */
export class ProjectBeingRemovedError extends TerminalStateError {}

/**
 * Whether a delete failed because the project or branch of what is deleted is being removed: the error says so, or the project is read.
 */
export async function isDueToRemoval(ctx: Context, ref: string, error: unknown): Promise<boolean> {
  if (error instanceof ProjectBeingRemovedError) return true;
  if (!mayPassWhileStarting(error)) return false;
  const seen = await readState(ctx, ref).catch(() => undefined);
  return isBeingRemoved(seen?.status);
}

/** Errors with which a project answers for a while after it was created or restarted (service, Health). */
export function mayPassWhileStarting(error: unknown): boolean {
  if (isNotReady(error) || isTransient(error)) return true;
  // A part of the service may not have the project, or the permissions for it, yet.
  return error instanceof ApiError && (error.status === 403 || error.status === 404);
}

const formatRestoreKey = (ref: string): string => `restoring:${ref}`;

/** Restores a project: until that is done, other steps take its being paused for a transient state. */
export async function trackRestore<T>({ shared }: Context, ref: string, work: () => Promise<T>): Promise<T> {
  shared.underWay.add(formatRestoreKey(ref));
  try {
    return await work();
  } finally {
    shared.underWay.delete(formatRestoreKey(ref));
  }
}

interface ProjectState {
  readonly subject: "project" | "branch";
  readonly status: string;
}

/**
 * Waits through the passing states of a project or branch; one that it does not leave by itself is an error at once.
 * Returns whether there was anything to wait for.
 */
export async function waitThroughStates(ctx: Context, ref: string): Promise<boolean> {
  let looks = 0;
  let timesPaused = 0;
  await poll<ProjectState | undefined, undefined>(ctx, {
    what: `the project ${ref} to take changes`,
    look: () => {
      looks += 1;
      return readState(ctx, ref);
    },
    judge(seen): Verdict<undefined> {
      if (seen === undefined) return DONE;
      const { subject, status } = seen;
      const error = createTerminalError(`${subject} ${ref}`, status, ctx.findUrn(ref));
      if (error !== undefined) return { kind: "failed", error };
      if (status === "INACTIVE") {
        const isRestored = ctx.shared.underWay.has(formatRestoreKey(ref));
        timesPaused += 1;
        // A step that restores it may begin a moment after this one.
        if (!isRestored && timesPaused > 1) return { kind: "failed", error: createPausedError(subject, ref) };
      }
      // A state that this version does not know prolongs a wait, and begins none.
      const isUnknown = !SETTLED.includes(status) && looks > 1;
      const passes = status === "INACTIVE" || TRANSIENT.includes(status) || isUnknown;
      return passes ? { kind: "waiting", reason: `it is ${status}` } : DONE;
    },
    mayPass: mayPassWhileStarting,
  });
  return looks > 1;
}

const DONE: Verdict<undefined> = { kind: "done", value: undefined };

/** A branch has no project of its own reference (service, Branches); undefined where the token may not look. */
async function readState(ctx: Context, ref: string): Promise<ProjectState | undefined> {
  try {
    const { status } = await ctx.api.getProject({ ref });
    return { subject: "project", status: status ?? "without a status" };
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    if (!isNotFound(error)) throw error;
  }
  try {
    const { status } = await ctx.api.getBranchConfig({ branch_id_or_ref: ref });
    return { subject: "branch", status: status ?? "without a status" };
  } catch (error) {
    if (error instanceof ForbiddenError || isNotFound(error)) return undefined;
    throw error;
  }
}

/** Statuses with which a paused project fails to answer (service, Paused projects). */
const FAILS_WHILE_PAUSED = [500, 544];

/** The calls that show the state itself. */
const OF_STATE = ["getProject", "getBranchConfig"];

/** Whether the call fails in this way because its project or branch is paused, so that it would fail again. */
export async function failsWhilePaused(
  ctx: Context,
  call: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> },
  status: number,
): Promise<boolean> {
  const { ref } = call.parameters;
  if (typeof ref !== "string" || OF_STATE.includes(call.name) || !FAILS_WHILE_PAUSED.includes(status))
    return false;
  return isPausedNow(ctx, ref);
}

/** Many that ask at once get one answer; where it cannot be told, it is not. */
async function isPausedNow(ctx: Context, ref: string): Promise<boolean> {
  const key = `is-paused:${ref}`;
  const look = async (): Promise<boolean> => (await readState(ctx, ref))?.status === "INACTIVE";
  return ctx.shared.list(key, () => look().finally(() => ctx.shared.forget(key))).catch(() => false);
}

/**
 * A read that fails because its project or branch is paused says so; while the same run restores the project, it waits for
 * that and reads again. A write is left to whoever looks up what became of it.
 */
export async function explainPaused<T>(
  ctx: Context,
  call: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>>; isRead: boolean },
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const { ref } = call.parameters;
    // What shows the state itself would ask itself for it, and wait for its own answer.
    if (!(error instanceof ApiError) || typeof ref !== "string" || OF_STATE.includes(call.name)) throw error;
    // A 404 of what every project has is none of an object.
    const isOfOwner = error.status === 404 && !isNotFound(error);
    const isDue = isOfOwner ? isPausedNow(ctx, ref) : failsWhilePaused(ctx, call, error.status);
    if (!(await isDue)) throw error;
    const key = `through-states:${ref}`;
    await ctx.shared.list(key, () => waitThroughStates(ctx, ref).finally(() => ctx.shared.forget(key)));
    if (!call.isRead) throw error;
    return send();
  }
}

function createPausedError(subject: ProjectState["subject"], ref: string): Error {
  const how =
    subject === "project"
      ? "Declare `paused: false` in the Project (and refer to it by `projectRef: project.ref`, so that it is restored first), or restore it in the service's console"
      : "The service pauses unused branches that are not `persistent`. Restore it in the service's console";
  return new TerminalStateError(waitingProblems.paused.message({ subject, ref, how }));
}
