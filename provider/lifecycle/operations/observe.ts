import { isNotFound } from "../../client/errors/errors";
import type { Context } from "../../define/context";
import type { AnyResource, Observed } from "../../define/resource";
import type { Values } from "../state";

/** What the service shows; undefined where it says that there is nothing. */
export async function observe(
  ctx: Context,
  resource: AnyResource,
  target: { readonly id: string; readonly state: Values },
): Promise<Observed<Values, Values> | undefined> {
  return resource.read(ctx, target).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}
