import { NotFoundError } from "../../../client/errors/errors";
import type { Api, Context } from "../../../define/context";
import { isKnownStatus, mayPassWhileStarting, createTerminalError } from "../../../waiting/project-state";
import { poll } from "../../../waiting/poll";
import { problems } from "./problems";

/** A project as the service shows it. */
export type ProjectRecord = Awaited<ReturnType<Api["getProject"]>>;

interface AwaitedStatus {
  /** The states that are waited for. */
  readonly at: readonly string[];
  /** A state that means failure on this way only. */
  readonly failure?: (status: string) => Error | undefined;
  /** Whether a state that this version does not know begins no wait: nothing has changed the project. */
  readonly isUnchanged?: boolean;
}

/** Waits through the passing states of a project until it is in one of the wanted ones. */
export async function waitForProject(
  ctx: Context,
  ref: string,
  arrival: AwaitedStatus,
): Promise<ProjectRecord> {
  let looks = 0;
  return poll<ProjectRecord, ProjectRecord>(ctx, {
    what: `the project ${ref} to become ${arrival.at.join(" or ")}`,
    look: () => {
      looks += 1;
      return ctx.api.getProject({ ref });
    },
    judge(project) {
      const status = statusOf(project);
      if (arrival.at.includes(status)) return { kind: "done", value: project };
      const error =
        createTerminalError(`project ${ref}`, status, ctx.findUrn(ref)) ?? arrival.failure?.(status);
      const isUnknown = project.status == null || !isKnownStatus(status);
      if (error === undefined && isUnknown && looks === 1 && arrival.isUnchanged === true)
        return { kind: "done", value: project };
      return error === undefined ? { kind: "waiting", reason: status } : { kind: "failed", error };
    },
    mayPass: mayPassWhileStarting,
  });
}

/** Waits for ACTIVE_HEALTHY on a way on which nobody pauses the project. */
export async function waitUntilActive(ctx: Context, ref: string): Promise<ProjectRecord> {
  return waitForProject(ctx, ref, {
    at: ["ACTIVE_HEALTHY"],
    failure: (status) => (status === "INACTIVE" ? createUndeclaredPauseError(ref) : undefined),
  });
}

export function createUndeclaredPauseError(ref: string): Error {
  return new Error(problems.pausedUndeclared.message({ ref }));
}

export function statusOf(project: ProjectRecord): string {
  return project.status ?? "UNKNOWN";
}

/** The project, or undefined when the service says that it is gone. */
export async function lookUpProject(
  ctx: Context,
  ref: string,
  read: (ctx: Context, ref: string) => Promise<ProjectRecord> = ({ api }) => api.getProject({ ref }),
): Promise<ProjectRecord | undefined> {
  try {
    const project = await read(ctx, ref);
    return statusOf(project) === "REMOVED" ? undefined : project;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
