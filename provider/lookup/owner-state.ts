import { ApiError, ManagementError, isNotFound, isTransient } from "../client/errors/errors";
import type { Api, Context } from "../define/context";
import { isBeingRemoved } from "../define/project-status";
import type { SharedCalls } from "../define/shared-calls";
import { forgetProject, ownerStateKey, readProjectOnce } from "./listed-project";

/** Nothing proves that what the service does not show is gone. */
export class UnprovenAbsenceError extends ManagementError {}

/** What the service says of the project or branch that an object belongs to. */
export type OwnerState =
  | { readonly kind: "found"; readonly subject: "project" | "branch"; readonly status: string }
  /** It answers that the project was removed, or shows it as such. */
  | { readonly kind: "removed" }
  /** 404 for the project and for the branch: it may be gone, or the token may not see it. */
  | { readonly kind: "absent" };

/** Of the projects whose branches are looked through for a reference; an account with more of them is asked for none. */
const MOST_PARENTS = 25;

/** The calls that read an owner, and those that a run shares. */
export interface OwnerReads {
  readonly api: Pick<Api, "getProject" | "getBranchConfig">;
  readonly shared: SharedCalls;
}

/** The state of a project or branch: at most two calls in a run, whoever asks. Throws where the token may not read it. */
export function readOwnerStateOnce(reads: OwnerReads, ref: string): Promise<OwnerState> {
  return reads.shared.list(ownerStateKey(ref), async () => {
    const project = await lookUpOwner(readProjectOnce(reads, ref));
    if (project.kind !== "absent") return addSubject(project, "project");
    return addSubject(await lookUpOwner(reads.api.getBranchConfig({ branch_id_or_ref: ref })), "branch");
  });
}

/** The same as it is now. */
export function readOwnerStateNow(reads: OwnerReads, ref: string): Promise<OwnerState> {
  forgetProject(reads, ref);
  return readOwnerStateOnce(reads, ref);
}

/** Whether it is gone now; many that ask at once get one answer, and what is gone is not asked for again. */
export function isOwnerGoneNow(reads: OwnerReads, ref: string): Promise<boolean> {
  const { shared } = reads;
  const key = `is-gone:${ref}`;
  const look = async (): Promise<boolean> => {
    if ((await readOwnerStateOnce(reads, ref)).kind !== "found") return true;
    // It may have been deleted since this run read it.
    return (await readOwnerStateNow(reads, ref)).kind !== "found";
  };
  return shared.list(key, () => look().finally(() => shared.forget(key)));
}

type OwnerLookup =
  { readonly kind: "found"; readonly status: string } | { readonly kind: "removed" | "absent" };

async function lookUpOwner(answer: Promise<{ status?: string | null | undefined }>): Promise<OwnerLookup> {
  try {
    const status = (await answer).status ?? "UNKNOWN";
    return isBeingRemoved(status) ? { kind: "removed" } : { kind: "found", status };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { kind: error.status === 400 ? "removed" : "absent" };
  }
}

function addSubject(answer: OwnerLookup, subject: "project" | "branch"): OwnerState {
  return answer.kind === "found" ? { ...answer, subject } : { kind: answer.kind };
}

/** Records for the rest of the run whether the service has proven that a project or branch is gone. */
export function recordAbsence(ctx: Context, ref: string, verdict: "gone" | "unproven"): void {
  ctx.shared.absences.set(ref, verdict);
}

/**
 * Whether a project or branch that answers 404 is gone: this run has proven it, or the projects that the token sees, of
 * which there is at least one, are without it and so are their branches.
 */
export function isProvenGoneOnce(ctx: Context, ref: string): Promise<boolean> {
  const verdict = ctx.shared.absences.get(ref);
  if (verdict !== undefined) return Promise.resolve(verdict === "gone");
  return ctx.shared.list(`proven-gone:${ref}`, async () => {
    const projects = await readListing(ctx.api.listProjects({}));
    if (projects === undefined || projects.length === 0 || projects.length > MOST_PARENTS) return false;
    if (projects.some((project) => project.ref === ref)) return false;
    for (const parent of projects) {
      const branches = await readListing(ctx.api.listBranches({ ref: parent.ref }));
      if (branches === undefined || branches.some(({ project_ref }) => project_ref === ref)) return false;
    }
    return true;
  });
}

/** A listing; undefined where the service refuses it, as what is in it is unknown then. */
async function readListing<T>(listing: Promise<T>): Promise<T | undefined> {
  return listing.catch((error: unknown) => {
    if (error instanceof ApiError && !isTransient(error)) return undefined;
    throw error;
  });
}
