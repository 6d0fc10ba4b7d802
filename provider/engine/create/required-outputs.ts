import { z } from "zod";
import { unwrapSchema } from "../../../spec/shape-of";
import { formatCodeList } from "../../define/format-code-list";
import { listMarkedFields, isOptional } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { requiredOutputProblems } from "../step/problems";
import { createStepContext, type Runtime } from "../step/runtime";
import { omitUndefined, type Values } from "../../define/values";
import type { SettledResource } from "../step/settle";

/** Paths of the outputs that programs rely on. */
export function listRequiredOutputs({ outputs }: Pick<AnyResource, "outputs">): string[] {
  return findMissing(outputs, {});
}

/** Paths of the outputs that programs rely on, and that a state lacks. */
export function listMissingOutputs({ outputs }: AnyResource, state: Values): string[] {
  return findMissing(outputs, state);
}

function findMissing(schema: z.ZodObject, values: Values): string[] {
  return listMarkedFields(schema).flatMap(([name, field]) => {
    if (isOptional(field)) return [];
    const value = values[name];
    if (value === undefined || value === null) return [name];
    const inner = unwrapSchema(field);
    if (!(inner instanceof z.ZodObject)) return [];
    return findMissing(inner, value as Values).map((path) => `${name}.${path}`);
  });
}

/**
 * What was made, with every output that programs rely on: what the answers so far left out is read once more, and a warning
 * names what the service does not show at all. The object is there whatever this read ends with.
 */
export async function readRequiredOutputs(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
  made: SettledResource,
): Promise<SettledResource> {
  if (listMissingOutputs(resource, made.state).length === 0) return made;
  const options = { id: made.id, shared: runtime.shared.fromNow() };
  const ctx = createStepContext(runtime, resource, "read", inputs, options);
  const seen = await resource.read(ctx, made).catch(() => undefined);
  const shown = omitUndefined(seen?.outputs ?? {});
  const state = { ...made.state };
  for (const path of listMissingOutputs(resource, made.state)) {
    const [name = ""] = path.split(".");
    if (shown[name] !== undefined) state[name] = shown[name];
  }
  const missing = listMissingOutputs(resource, state);
  if (missing.length > 0) {
    ctx.warn(
      requiredOutputProblems.notShown.message({ type: resource.type, outputs: formatCodeList(missing) }),
    );
  }
  return { ...made, state };
}
