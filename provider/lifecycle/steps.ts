import { isNotFound, NotFoundError } from "../client/errors";
import type { Context } from "../define/context";
import { fieldsOf } from "../define/markers";
import type { AnyResource, Observed } from "../define/resource";
import { settleResource, type Made } from "./create";
import { diffInputs } from "./diff";
import { contextFor, type Runtime } from "./runtime";
import { asPending, declaredIn, isOwnKey, isPending, outputsIn, pick, remember, type Values } from "./state";

export interface Read {
  readonly id: string;
  readonly state: Values;
  /** The declared inputs as the service has them. */
  readonly inputs: Values;
}

/** What the service has now; undefined only when the service says that the resource is gone. */
export async function readResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
): Promise<Read | undefined> {
  const ctx = contextFor(runtime, resource, "read", state, id);
  const observed = await observe(ctx, resource, { id, state });
  if (observed === undefined) return undefined;
  const declared = declaredIn(resource, state);
  const remembered = remember(resource, declared, observed);
  const names = fieldsOf(resource.inputs).map(([name]) => name);
  return {
    id,
    state: isPending(state) ? asPending(remembered) : remembered,
    inputs: pick(
      remembered,
      names.filter((name) => name in declared),
    ),
  };
}

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

/** Brings the resource to the declared state; a change of the provider's own options makes no call. */
export async function updateResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
  inputs: Values,
): Promise<Made> {
  const { changed } = diffInputs(resource, state, inputs);
  const outputs = outputsIn(resource, state);
  if (changed.size === 0 && !isPending(state)) {
    return { id, state: remember(resource, inputs, { outputs }) };
  }
  const ctx = contextFor(runtime, resource, "update", inputs, id);
  const current: Values = Object.fromEntries(Object.entries(state).filter(([name]) => !isOwnKey(name)));
  try {
    const updated =
      changed.size === 0 ? {} : await resource.update?.(ctx, { id, state: current, inputs, changed });
    return await settleResource(ctx, resource, id, inputs, { outputs, ...updated });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new NotFoundErrorDuringUpdate(resource.type, id, error);
  }
}

/** Removes the resource; what is gone already is a success. */
export async function deleteResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
): Promise<void> {
  const ctx = contextFor(runtime, resource, "delete", state, id);
  try {
    await resource.delete(ctx, { id, state });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

class NotFoundErrorDuringUpdate extends Error {
  constructor(type: string, id: string, cause: NotFoundError) {
    super(
      `The ${type} ${id} is not there any more: ${cause.message} Run \`pulumi refresh\` to see what is gone, then \`pulumi up\` makes it again.`,
      { cause },
    );
  }
}
