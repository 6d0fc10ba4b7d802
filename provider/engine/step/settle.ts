import type { Context } from "../../define/context";
import { PartialError, type AnyResource, type ObservedResource } from "../../define/resource";
import { InitializationError, explainGone } from "./errors";
import type { Values } from "../../define/values";
import { composeState } from "./state";

export interface SettledResource {
  readonly id: string;
  readonly state: Values;
}

/** Waits until the resource can be used; a failure keeps it in state as an initialization error. */
export async function settleResource(
  ctx: Context,
  resource: AnyResource,
  id: string,
  inputs: Values,
  seen: Partial<ObservedResource<Values, Values>>,
): Promise<SettledResource> {
  const soFar = composeState(resource, inputs, seen);
  if (resource.settle === undefined) return { id, state: soFar };
  try {
    const observed = await resource.settle(ctx, { id, state: soFar, inputs });
    return { id, state: composeState(resource, inputs, observed) };
  } catch (error) {
    const [there, cause] = error instanceof PartialError ? [error.seen, error.cause] : [seen, error];
    throw createPartialFailure(resource, id, inputs, there, cause);
  }
}

/** What a step did before it failed, as an initialization error. */
export function createPartialFailure(
  resource: AnyResource,
  id: string,
  inputs: Values,
  seen: Partial<ObservedResource<Values, Values>>,
  cause: unknown,
): InitializationError {
  return new InitializationError(
    id,
    composeState(resource, inputs, seen),
    explainGone(resource.type, id, cause),
  );
}
