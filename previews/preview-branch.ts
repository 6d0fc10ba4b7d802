import type { ManagementClient } from "../provider/client";
import { parsePreviewName } from "../provider/resources/branches/shared/preview-identity";
import { quoteText } from "../spec/shown-text";
import { toPreviewKey, type Previews } from "./preview";
import { isReference } from "../spec/project-reference";

export type ListedBranch = Awaited<ReturnType<ManagementClient["listBranches"]>>[number];

/** A branch that is named as a preview of the repository. What it was made for is looked at before anything is done with it. */
export interface PreviewBranch {
  readonly name: string;
  /** Reference of the branch. */
  readonly ref: string;
  /** Identifier of the branch, a UUID: another branch of the same name has another one. */
  readonly branchId: string;
  /** Number of the pull request, from the branch's name. */
  readonly pullRequest: number;
  readonly gitBranch?: string;
  /** Time of creation in milliseconds since 1970. */
  readonly createdMs: number;
  /** Deployment state, such as `FUNCTIONS_DEPLOYED`. */
  readonly status?: string;
  /** State of the branch's own project, such as `ACTIVE_HEALTHY`; `INACTIVE` while it is paused. */
  readonly projectStatus?: string;
}

/**
 * Branches that the service's own integration with a forge made for pull requests: it writes their number, which nobody
 * else does.
 */
export function filterIntegrationBranches(branches: readonly ListedBranch[]): readonly IntegrationBranch[] {
  return branches.flatMap(({ name, is_default: isDefault, pr_number: pullRequest, git_branch: gitBranch }) =>
    isDefault === true || pullRequest == null
      ? []
      : [{ name: name ?? "without a name", pullRequest, gitBranch: gitBranch ?? undefined }],
  );
}

export interface IntegrationBranch {
  readonly name: string;
  readonly pullRequest: number;
  readonly gitBranch: string | undefined;
}

/**
 * What to say of the branch that the integration made for the pull request of a preview; undefined where there is none. Several
 * repositories can share a project: the number alone does not tell whose it is.
 */
export function findIntegrationBranch(
  branches: readonly ListedBranch[],
  preview: { readonly name: string; readonly pullRequest: number; readonly gitBranch?: string | undefined },
): string | undefined {
  return filterIntegrationBranches(branches).find(
    ({ name, pullRequest, gitBranch }) =>
      name !== preview.name && pullRequest === preview.pullRequest && gitBranch === preview.gitBranch,
  )?.name;
}

export function formatIntegrationBranch(pullRequest: number, name: string): string {
  return `Pull request ${pullRequest} also has the branch ${name}, which the service's own integration made.`;
}

/** How one of two branches for each pull request is switched off; nothing here touches the other. */
export const SWITCH_ONE_OFF =
  "Each pull request then has two branches, which both cost. Switch the integration off in the project's settings in the service's console, or remove the workflow of these previews.";

/** A listing that does not say what has to be known before anything is removed. */
export class IncompleteListingError extends Error {}

/** The previews of a repository, oldest first. Throws where the listing is not complete: nothing follows from a part of it. */
export async function listPreviews(
  client: ManagementClient,
  of: Previews,
  warn?: (line: string) => void,
): Promise<PreviewBranch[]> {
  return filterPreviews(await client.listBranches({ ref: of.project }), of, warn);
}

const MOST_SHOWN = 100;

/** Those of a listing. One without a reference is to be no part of a path or a command: it is left out. */
export function filterPreviews(
  branches: readonly ListedBranch[],
  of: Previews,
  warn: (line: string) => void = () => undefined,
): PreviewBranch[] {
  const referred = branches.filter(({ project_ref: ref }) => {
    if (!isReference(ref))
      warn(
        `The service lists a branch with the reference ${quoteText(ref.slice(0, MOST_SHOWN))}, which is none. The branch was left out.`,
      );
    return isReference(ref);
  });
  return referred
    .flatMap((branch) => toPreviewBranch(branch, of) ?? [])
    .toSorted((a, b) => a.createdMs - b.createdMs);
}

function toPreviewBranch(branch: ListedBranch, of: Previews): PreviewBranch | undefined {
  const { name, project_ref: ref, id } = branch;
  if (name == null) throw createLackingError("name", ref);
  const pullRequest = parsePreviewName(name, of.prefix, toPreviewKey(of));
  if (pullRequest === undefined) return undefined;
  if (branch.is_default === true || ref === of.project || ref === branch.parent_project_ref) return undefined;
  // Left out of the answer, it could be either.
  if (branch.is_default == null) throw createLackingError("is_default", ref);
  if (branch.persistent == null) throw createLackingError("persistent", ref);
  if (branch.persistent) return undefined;
  if (branch.parent_project_ref !== of.project) return undefined;
  const createdMs = Date.parse(branch.created_at ?? "");
  if (Number.isNaN(createdMs)) throw createLackingError("created_at", ref);
  if (id == null) throw createLackingError("id", ref);
  return {
    ...{ name, ref, branchId: id, createdMs, pullRequest },
    ...(branch.git_branch == null ? {} : { gitBranch: branch.git_branch }),
    ...(branch.status == null ? {} : { status: branch.status }),
    ...(branch.preview_project_status == null ? {} : { projectStatus: branch.preview_project_status }),
  };
}

export function createLackingError(field: string, ref: string): IncompleteListingError {
  return new IncompleteListingError(
    `The service listed the branch ${ref} without its ${field}: nothing was removed, because the listing is incomplete. Run again.`,
  );
}
