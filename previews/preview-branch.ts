import type { ManagementClient } from "../provider/client";

type BranchRecord = Awaited<ReturnType<ManagementClient["listBranches"]>>[number];

/** A branch that previews a pull request: its name is the prefix and the number, and it is neither default nor persistent. */
export interface PreviewBranch {
  readonly name: string;
  /** Reference of the branch. */
  readonly ref: string;
  /** Identifier of the branch, a UUID: another branch of the same name has another one. */
  readonly branchId: string;
  /** Number of the pull request, from the branch's name. */
  readonly pullRequest: number;
  /** The number that the service has, where it knows the pull request itself. */
  readonly knownPullRequest?: number;
  readonly gitBranch?: string;
  /** Time of creation in milliseconds since 1970. */
  readonly createdMs: number;
  /** Deployment state, such as `FUNCTIONS_DEPLOYED`. */
  readonly status?: string;
  /** State of the branch's own project, such as `ACTIVE_HEALTHY`; `INACTIVE` while it is paused. */
  readonly projectStatus?: string;
}

export interface WhichBranches {
  /** Reference of the project that the branches were made from. */
  readonly project: string;
  /** What names of previews begin with, before the number. */
  readonly prefix: string;
}

/** A listing that does not say what has to be known before anything is removed. */
export class IncompleteListingError extends Error {}

/** The previews of a project, oldest first. Throws where the listing is not complete: nothing follows from a part of it. */
export async function listPreviews(
  client: ManagementClient,
  { project, prefix }: WhichBranches,
): Promise<PreviewBranch[]> {
  const branches = await client.listBranches({ ref: project });
  return branches
    .flatMap((branch) => {
      const preview = previewOf(branch, project, prefix);
      return preview === undefined ? [] : [preview];
    })
    .toSorted((a, b) => a.createdMs - b.createdMs);
}

/** Whether the pull request is open, by the branch's name or by what the service knows. */
export function isOpen(
  { pullRequest, knownPullRequest = pullRequest }: PreviewBranch,
  open: ReadonlySet<number>,
): boolean {
  return open.has(pullRequest) || open.has(knownPullRequest);
}

function previewOf(branch: BranchRecord, project: string, prefix: string): PreviewBranch | undefined {
  const { name, project_ref: ref, id } = branch;
  if (name == null) throw lacking("name", ref);
  const number = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  if (!/^[1-9]\d*$/.test(number)) return undefined;
  if (branch.is_default === true || ref === project || ref === branch.parent_project_ref) return undefined;
  // Left out of the answer, it could be either.
  if (branch.is_default == null) throw lacking("is_default", ref);
  if (branch.persistent == null) throw lacking("persistent", ref);
  if (branch.persistent) return undefined;
  if (branch.parent_project_ref != null && branch.parent_project_ref !== project) return undefined;
  const createdMs = Date.parse(branch.created_at ?? "");
  if (Number.isNaN(createdMs)) throw lacking("created_at", ref);
  if (id == null) throw lacking("id", ref);
  return {
    ...{ name, ref, branchId: id, createdMs, pullRequest: Number(number) },
    ...(branch.pr_number == null ? {} : { knownPullRequest: branch.pr_number }),
    ...(branch.git_branch == null ? {} : { gitBranch: branch.git_branch }),
    ...(branch.status == null ? {} : { status: branch.status }),
    ...(branch.preview_project_status == null ? {} : { projectStatus: branch.preview_project_status }),
  };
}

function lacking(field: string, ref: string): IncompleteListingError {
  return new IncompleteListingError(
    `The service listed the branch ${ref} without its ${field}: nothing is removed on such a listing. Run again.`,
  );
}
