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
    if (!(error instanceof PartialError))
      throw new InitializationError(id, soFar, explainGone(resource.type, id, error));
    const { seen: there, cause } = error;
    throw new InitializationError(
      id,
      composeState(resource, inputs, there),
      explainGone(resource.type, id, cause),
    );
  }
}
