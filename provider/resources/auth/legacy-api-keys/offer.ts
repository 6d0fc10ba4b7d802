import { ApiError, isNotFound } from "../../../client/errors";
import type { Context } from "../../../define/context";
import { problems } from "./problems";

/** A 404 of a project that is there says that the service offers the operation no longer (service, Errors). */
export async function whereOffered<T>(ctx: Context, ref: string, call: () => Promise<T>): Promise<T> {
  const seen = { is404: false };
  try {
    return await ctx.api.ofEveryProject(ref, () =>
      call().catch((error: unknown) => {
        seen.is404 = isNotFound(error) && error.status === 404;
        throw error;
      }),
    );
  } catch (error) {
    const isOfProject = isNotFound(error) || !(error instanceof ApiError);
    // Where the project may not be read, only its own refusal says so, in words.
    if (!seen.is404 || isOfProject || /could not be told/.test(error.message)) throw error;
    const { status, operation, serviceMessage, requestId } = error;
    const said = serviceMessage === "" ? "" : ` (the service says: ${serviceMessage})`;
    const message = problems.withdrawn.message({ ref, said });
    throw new ApiError({ status, operation, serviceMessage, requestId, message });
  }
}
