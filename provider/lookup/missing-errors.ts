import type { OperationName } from "../../spec/table";
import { isNotFound, NotFoundError } from "../client/errors/errors";
import { defineProblem } from "../client/errors/problem";

/** The errors of a read of what belongs to a project or a branch. */
export const ofProject = {
  noProject: defineProblem({
    says: "No project or branch has the reference {ref}: {remedy}.",
    means: "The service answered 404: the token's owner sees no project or branch with this reference.",
    remedy: "Check `projectRef`, and that it has not been deleted",
  }),
};

/** The errors of a read of what belongs to an organization. */
export const ofOrganization = {
  noOrganization: defineProblem({
    says: "No organization has the slug {slug}: {remedy}.",
    means: "The service answered 404: the organization does not exist, or the token's owner is not a member.",
    remedy: "Check the slug, and that the token's owner is a member",
  }),
};

/** An error for what is not there: `message` says what that is and what to do. */
export function createNotFoundError(operation: OperationName, message: string): NotFoundError {
  return new NotFoundError({ status: 404, operation, serviceMessage: "", message });
}

/** Names what is missing and the remedy, where the service's 404 does not. */
export async function explainMissing<T>(answer: Promise<T>, message: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { status, operation, serviceMessage, requestId } = error;
    const detail = serviceMessage === "" ? "" : ` The service says: ${serviceMessage}.`;
    throw new NotFoundError({ status, operation, serviceMessage, requestId, message: message + detail });
  }
}

/** A read of what belongs to a project or a branch. */
export async function explainMissingProject<T>(ref: string, answer: Promise<T>): Promise<T> {
  return explainMissing(answer, ofProject.noProject.message({ ref }));
}

export async function explainMissingOrganization<T>(slug: string, answer: Promise<T>): Promise<T> {
  return explainMissing(answer, ofOrganization.noOrganization.message({ slug }));
}
