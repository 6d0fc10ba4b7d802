import type { OperationName } from "../../spec/table";
import { isNotFound, NotFoundError } from "../client/errors";
import { defineProblem } from "../client/problem";
import type { Context } from "../define/context";

/** What can go wrong with what a project or a branch has. */
export const ofProject = {
  noProject: defineProblem({
    says: "There is neither a project nor a branch with the reference {ref}: {remedy}.",
    means: "404: `projectRef` leads to nothing that the token's owner may see.",
    remedy: "Check `projectRef`, and that it has not been deleted",
  }),
};

/** What can go wrong with what an organization has. */
export const ofOrganization = {
  noOrganization: defineProblem({
    says: "There is no organization with the slug {slug}: {remedy}.",
    means: "404: there is no such organization, or the token's owner is no member.",
    remedy: "Check the slug, and that the token's owner is a member",
  }),
};

/** Shares an answer with those who ask while it is under way; who asks later gets what is there then. */
export async function askTogether<T>(ctx: Context, key: string, ask: () => Promise<T>): Promise<T> {
  return ctx.shared.list(key, () => ask().finally(() => ctx.shared.forget(key)));
}

/** An error for what is not there: `message` says what that is and what to do. */
export function notFound(operation: OperationName, message: string): NotFoundError {
  return new NotFoundError({ status: 404, operation, serviceMessage: "", message });
}

/** Says what is missing, and what to do, where the service says only that something is. */
export async function orMissing<T>(asking: Promise<T>, message: string): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { status, operation, serviceMessage, requestId } = error;
    const said = serviceMessage === "" ? "" : ` The service says: ${serviceMessage}.`;
    throw new NotFoundError({ status, operation, serviceMessage, requestId, message: message + said });
  }
}

/** A read of what belongs to a project or a branch. */
export async function orNoProject<T>(ref: string, asking: Promise<T>): Promise<T> {
  return orMissing(asking, ofProject.noProject.message({ ref }));
}

export async function orNoOrganization<T>(slug: string, asking: Promise<T>): Promise<T> {
  return orMissing(asking, ofOrganization.noOrganization.message({ slug }));
}
