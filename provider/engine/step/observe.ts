import { isNotFound, NotFoundError } from "../../client/errors/errors";
import type { Context } from "../../define/context";
import type { AnyResource, ObservedResource } from "../../define/resource";
import type { Values } from "../../define/values";

/** What the service shows; undefined where it says that there is nothing. */
export async function observe(
  ctx: Context,
  resource: AnyResource,
  target: { readonly id: string; readonly state: Values },
): Promise<ObservedResource<Values, Values> | undefined> {
  const answer = await answerOf(resource.read(ctx, target));
  return answer instanceof NotFoundError ? undefined : answer;
}

/** What is there, or how the service says that it is not: by its error, or by a listing without it. */
export async function answerOf<T>(work: Promise<T>): Promise<T | NotFoundError> {
  return work.catch((error: unknown) => {
    if (isNotFound(error)) return error;
    throw error;
  });
}
