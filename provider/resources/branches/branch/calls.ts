import {
  ApiError,
  ForbiddenError,
  InvalidInputError,
  isNotFound,
  NotFoundError,
  ResponseSchemaError,
} from "../../../client/errors/errors";
import type { Api, Context } from "../../../define/context";
import { isBeingRemoved } from "../../../define/project-status";
import { UnprovenAbsenceError } from "../../../lookup/owner-state";
import { problems } from "../shared/branch-problems";

/** A branch as its parent's listing shows it. */
export type BranchRecord = Awaited<ReturnType<Api["listBranches"]>>[number];
/** How a branch's own database is reached. */
export type BranchConnection = Awaited<ReturnType<Api["getBranchConfig"]>>;

const listKey = (parentRef: string): string => `branches:${parentRef}`;

/** All branches of a project: one listing for all resources of a run. */
export async function listBranchesOnce(ctx: Context, parentRef: string): Promise<BranchRecord[]> {
  return ctx.shared.list(listKey(parentRef), () => listBranchesNow(ctx, parentRef));
}

/** The branches of a project that have exactly this name, or this identifier. */
export async function findBranchesBy(
  ctx: Context,
  parentRef: string,
  field: "name" | "id",
  value: string,
): Promise<BranchRecord[]> {
  const branches = await listBranchesOnce(ctx, parentRef);
  const untold = branches.find((each) => each[field] == null);
  // Left out, it would look as if there were none of that name.
  if (untold !== undefined) throw createMissingFieldError(field, untold.project_ref);
  return branches.filter((each) => each[field] === value);
}

/** What a branch is called in a message. */
export function branchNameOf({ name, project_ref }: BranchRecord): string {
  return name ?? project_ref;
}

/** The branch as it is now, past what this run has listed before. */
export async function lookUpBranch(
  ctx: Context,
  parentRef: string,
  branchRef: string,
): Promise<BranchRecord | undefined> {
  const branches = await listBranchesNow(ctx, parentRef);
  return branches.find(({ project_ref }) => project_ref === branchRef);
}

export async function requireBranch(
  ctx: Context,
  parentRef: string,
  branchRef: string,
): Promise<BranchRecord> {
  const branch = await lookUpBranch(ctx, parentRef, branchRef);
  if (branch !== undefined) return branch;
  const message = `The branch ${branchRef} is not a branch of the project ${parentRef}.`;
  throw new NotFoundError({ status: 404, operation: "listBranches", serviceMessage: "", message });
}

/** Throws where a branch that its parent does not list exists all the same, as that of another project. */
export async function requireNotElsewhere(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  try {
    const { status } = await ctx.api.getBranchConfig({ branch_id_or_ref: branchRef });
    if (isBeingRemoved(status)) return;
  } catch (error) {
    // To a token that may not look, the listing says enough.
    if (isNotFound(error) || error instanceof ForbiddenError) return;
    throw error;
  }
  throw new UnprovenAbsenceError(
    problems.ofAnotherParent.message({ ref: branchRef, parentRef, urn: ctx.urn }),
  );
}

export function forgetBranches(ctx: Context, parentRef: string): void {
  ctx.shared.forget(listKey(parentRef));
}

/** The branch that stands for the project itself; the service makes it beside the first one (service, Branches). */
export function isDefaultBranch(branch: BranchRecord): boolean {
  return branch.is_default === true || branch.project_ref === branch.parent_project_ref;
}

export function createDefaultBranchError(branch: BranchRecord, path: "name" | "adopt"): InvalidInputError {
  const advice =
    path === "name"
      ? problems.defaultBranch.remedy
      : `Import or adopt another branch, or the project as a \`Project\`, by its reference ${branch.project_ref}`;
  return new InvalidInputError(
    path,
    problems.defaultBranch.message({ name: branchNameOf(branch), ref: branch.project_ref, advice }),
  );
}

/** The connection of the branch's own database; undefined while it has none. Never the parent's. */
export async function getConnection(
  ctx: Context,
  branch: BranchRecord,
): Promise<BranchConnection | undefined> {
  if (isDefaultBranch(branch)) return undefined;
  try {
    const connection = await ctx.api.getBranchConfig({ branch_id_or_ref: branch.project_ref });
    return connection.ref === branch.project_ref ? connection : undefined;
  } catch (error) {
    // The listing shows the branch, so it is there: its database is not yet.
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** With which status the service says it is not known (service, Branches). */
const OF_BRANCH = /\bfrom another branch\b/i;

/** Runs a call on a parent's branches; tells a branch's reference given as the parent from a missing permission. */
export async function refuseBranchAsParent<T>(
  ctx: Context,
  parentRef: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isSaid = error instanceof ApiError && OF_BRANCH.test(error.serviceMessage);
    if (!isSaid && !(error instanceof ForbiddenError && (await isBranch(ctx, parentRef)))) throw error;
    throw new InvalidInputError("projectRef", problems.ofBranch.message({ ref: parentRef }));
  }
}

/** Whether the service knows a branch of that reference. */
export async function isBranch(ctx: Context, ref: string): Promise<boolean> {
  return ctx.api.getBranchConfig({ branch_id_or_ref: ref }).then(
    () => true,
    () => false,
  );
}

/** Tells it once in a run: several branches may be made at the same time. */
export async function tellFirstBranch(ctx: Context, parentRef: string): Promise<void> {
  await ctx.shared.list(`first branch told:${parentRef}`, () => {
    ctx.info(
      `this is the first branch of the project ${parentRef}. The service also creates a default branch, which represents the project itself and cannot be deleted.`,
    );
    return Promise.resolve(true);
  });
}

async function listBranchesNow(ctx: Context, parentRef: string): Promise<BranchRecord[]> {
  const branches = await refuseBranchAsParent(ctx, parentRef, () => ctx.api.listBranches({ ref: parentRef }));
  // The project's own reference tells the default branch, whatever else the answer leaves out.
  return branches.map((each) => (each.project_ref === parentRef ? { ...each, is_default: true } : each));
}

function createMissingFieldError(field: "name" | "id", ref: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listBranches failed: the answer has no ${field} of the branch ${ref}. Run again.`,
    "listBranches",
    field,
  );
}
