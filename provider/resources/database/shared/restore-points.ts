import { z } from "zod";
import { ApiError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Api, Context } from "../../../define/context";
import { formed } from "../../../define/markers";
import { OwnerExistsError } from "../../../lookup/owner";

export type RestorePoint = Awaited<ReturnType<Api["getRestorePoint"]>>;

export const restorePointName = formed(
  z.string().min(1).max(20),
  "a name of at most 20 characters",
  "before-import",
);

/** What was measured on every plan for restores by their id and for restore points (service, Backups). */
export const restoreProblems = {
  unavailable: defineProblem({
    says: "The service does not offer this operation at the moment{answer}. Nothing was changed. {remedy}.",
    means:
      "The service refuses to restore a daily backup, and to make, show and undo to restore points. It was seen to do so for every project and plan.",
    remedy:
      "Restore the project in the service's console or, with the add-on `pitr`, by `PitrRestore`; remove this action from the program until the service offers it",
  }),
};

/** The same where somebody only names or reads a point, and wants nothing to be taken back. */
export const restorePointProblems = {
  unavailable: defineProblem({
    says: "The service does not offer restore points at the moment{answer}. Nothing was changed. {remedy}.",
    means:
      "The service refuses to make, show and undo to restore points. It was seen to do so for every project and plan.",
    remedy:
      "Remove what asks for a restore point from the program until the service offers them. With the add-on `pitr`, note the time instead: `PitrRestore` takes a project back to a time",
  }),
};

const UNAVAILABLE = /unavailable at the moment/i;

export function isUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400 && UNAVAILABLE.test(error.serviceMessage);
}

/** The same error, in words of its own where the service does not offer the operation. */
export function explainUnavailable(
  error: unknown,
  { unavailable }: typeof restoreProblems | typeof restorePointProblems,
): unknown {
  if (!isUnavailable(error)) return error;
  return replaceMessage(error, unavailable.message({ answer: quoteServiceMessage(error) }));
}

/** The restore point of a name; undefined where the project has none. */
export async function lookUpRestorePoint(
  ctx: Context,
  ref: string,
  name: string,
): Promise<RestorePoint | undefined> {
  try {
    return await ctx.api.ofEveryProject(ref, () => ctx.api.getRestorePoint({ ref, name }));
  } catch (error) {
    if (error instanceof OwnerExistsError) return undefined;
    throw explainUnavailable(error, restorePointProblems);
  }
}
