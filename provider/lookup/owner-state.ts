import { ApiError, isNotFound, isTransient } from "../client/errors/errors";
import type { Context } from "../define/context";
import { projectOnce } from "./listed-project";

/** What the service says of the project or branch that an object belongs to. */
export type OwnerState =
  | { readonly kind: "found"; readonly subject: "project" | "branch"; readonly status: string }
  /** It answers that the project was removed, or shows it as such. */
  | { readonly kind: "removed" }
  /** 404 for the project and for the branch: it may be gone, or the token may not see it. */
  | { readonly kind: "absent" };

/** Of the projects whose branches are looked through for a reference; an account with more of them is asked for none. */
const MOST_PARENTS = 25;

const BEING_REMOVED = ["GOING_DOWN", "REMOVED"];

/** The state of a project or branch: at most two calls in a run, whoever asks. Throws where the token may not read it. */
export function readOwnerStateOnce(ctx: Context, ref: string): Promise<OwnerState> {
  return ctx.shared.list(`owner-state:${ref}`, async () => {
    const project = await lookUp(projectOnce(ctx, ref));
    if (project.kind !== "absent") return withSubject(project, "project");
    return withSubject(await lookUp(ctx.api.getBranchConfig({ branch_id_or_ref: ref })), "branch");
  });
}

type Answer = { readonly kind: "found"; readonly status: string } | { readonly kind: "removed" | "absent" };

async function lookUp(answer: Promise<{ status?: string | null | undefined }>): Promise<Answer> {
  try {
    const status = (await answer).status ?? "UNKNOWN";
    return BEING_REMOVED.includes(status) ? { kind: "removed" } : { kind: "found", status };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { kind: error.status === 400 ? "removed" : "absent" };
  }
}

function withSubject(answer: Answer, subject: "project" | "branch"): OwnerState {
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
