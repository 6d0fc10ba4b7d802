import type { ManagementClient } from "../client/index";
import type { CallOptions } from "../client/call-subject";
import { ApiError, ForbiddenError, isNotFound, type NotFoundError } from "../client/errors/errors";
import { replaceMessage } from "../client/errors/with-message";
import type { Context } from "../define/context";
import type { SharedCalls } from "../define/shared-calls";
import { listingProblems } from "../define/problems";
import { isBeingRemoved } from "../define/project-status";
import { readProjectOnce } from "./listed-project";
import { isOwnerGoneNow, type OwnerReads } from "./owner-state";

/** How the calls of a step are made. */
export interface CallContext {
  readonly client: ManagementClient;
  readonly options: CallOptions;
  readonly shared: SharedCalls;
}

/** The parameters of a call that is about something which belongs to a project or an organization. */
export type CallParameters = Readonly<Record<string, unknown>>;

/** What was asked for does not exist, though its owner does. */
export class OwnerExistsError extends ApiError {}

/**
 * Reads what every project or organization has: a 404 means that this owner is gone, which the owner itself is asked,
 * or else nothing (service, SSO providers), as where it has no owner.
 */
export async function failIfOwnerGone<T>(
  calling: CallContext,
  parameters: CallParameters,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // 400 is the project's own answer for some minutes after its removal (service, Errors).
    if (!isNotFound(error) || error.status === 400) throw error;
    const { project_ref: filter, ref = filter, slug } = parameters;
    if (ref === undefined && slug === undefined)
      throw createAmbiguousError(error, "The listing belongs to no project");
    const isProject = typeof ref === "string";
    const owner = isProject ? `project ${ref}` : `organization ${String(slug)}`;
    const isGone = isProject ? isProjectGone(calling, ref) : isOrganizationGone(calling, String(slug));
    throw await isGone.then(
      (gone) => (gone ? error : new OwnerExistsError(createAmbiguousError(error, `The ${owner} exists`))),
      (reason: unknown) =>
        createAmbiguousError(error, `Whether the ${owner} exists is unknown (${readErrorMessage(reason)})`),
    );
  }
}

function createAmbiguousError(error: NotFoundError, what: string): ApiError {
  return replaceMessage(
    error,
    listingProblems.saysNothingOfWhatIsInIt.message({ error: error.message, owner: what }),
  );
}

function isProjectGone({ client, options, shared }: CallContext, ref: string): Promise<boolean> {
  const api: OwnerReads["api"] = {
    getProject: (parameters) => client.getProject(parameters, options),
    getBranchConfig: (parameters) => client.getBranchConfig(parameters, options),
  };
  return isOwnerGoneNow({ api, shared }, ref);
}

async function isOrganizationGone({ client, options }: CallContext, slug: string): Promise<boolean> {
  return !(await exists(client.getOrganization({ slug }, options)));
}

/** Whether a read finds something; `false` and a 404 mean that it does not. */
export async function exists(looking: Promise<unknown>): Promise<boolean> {
  try {
    return (await looking) !== false;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/**
 * Whether a project or branch exists, for what the service does not show: one read for all resources of a run. True as
 * well where the token may not read it: it is then treated as still present.
 */
export async function ownerExists(ctx: Context, ref: string): Promise<boolean> {
  const project = readProjectOnce(ctx, ref).then(({ status }) => !isBeingRemoved(status));
  return (await mayExist(project)) || mayExist(ctx.api.getBranchConfig({ branch_id_or_ref: ref }));
}

/** Whether the service says that it no longer exists; where that is not known, it is treated as still present. */
export async function isOwnerGone(ctx: Context, ref: string): Promise<boolean> {
  return ownerExists(ctx, ref).then(
    (isPresent) => !isPresent,
    () => {
      ctx.signal.throwIfAborted();
      ctx.progress(`whether ${ref} still exists is unknown`);
      return false;
    },
  );
}

async function mayExist(looking: Promise<unknown>): Promise<boolean> {
  return exists(looking).catch((error: unknown) => {
    if (error instanceof ForbiddenError) return true;
    throw error;
  });
}

function readErrorMessage(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
