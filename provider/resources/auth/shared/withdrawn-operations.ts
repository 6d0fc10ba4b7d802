import { replaceMessage, quoteServiceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { OwnerExistsError } from "../../../lookup/owner";

/**
 * A 404 of a project that is there says that the service offers the operation no longer (service, Errors); `withdrawn` is
 * the message then, with the service's own words.
 */
export async function explainWithdrawal<T>(
  ctx: Context,
  ref: string,
  withdrawn: (answer: string) => string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await ctx.api.ofEveryProject(ref, call);
  } catch (error) {
    if (!(error instanceof OwnerExistsError)) throw error;
    throw replaceMessage(error, withdrawn(quoteServiceMessage(error)));
  }
}
