import { restated, serviceSays } from "../../../client/restated";
import { OwnerIsThereError } from "../../../converge/owner";
import type { Context } from "../../../define/context";
import { problems } from "./problems";

/** A 404 of a project that is there says that the service offers the operation no longer (service, Errors). */
export async function whereOffered<T>(ctx: Context, ref: string, call: () => Promise<T>): Promise<T> {
  try {
    return await ctx.api.ofEveryProject(ref, call);
  } catch (error) {
    if (!(error instanceof OwnerIsThereError)) throw error;
    throw restated(error, problems.withdrawn.message({ ref, answer: serviceSays(error) }));
  }
}
