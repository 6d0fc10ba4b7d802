import type { z } from "zod";
import { schemaAt, shapeOf } from "../../spec/shape-of";
import { isObject } from "../../spec/is-object";
import { putBelow, valueBelow, type WirePath } from "./setting-fields";

/**
 * The body that brings values about, by their paths on the wire. An object of which the API requires a field, or of which
 * nothing is known, is sent whole: with the rest as it is `there`. So is what the API requires of every body.
 */
export function mergedBody(
  values: readonly (readonly [path: WirePath, value: unknown])[],
  schema: z.ZodType,
  there: unknown,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of values) {
    for (const end of path.keys()) {
      const above = path.slice(0, end);
      if (end > 0 && !isObject(valueBelow(body, above)))
        putBelow(body, above, objectAt(above, schema, there));
    }
    putBelow(body, path, value);
  }
  return { ...requiredOf(schema, there), ...body };
}

function requiredOf(schema: z.ZodType, there: unknown): Record<string, unknown> {
  if (!isObject(there)) return {};
  const isRequired = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && schemaAt(schema, [name])?.safeParse(undefined).success === false;
  return Object.fromEntries(Object.entries(there).filter(isRequired));
}

function objectAt(path: WirePath, schema: z.ZodType, there: unknown): Record<string, unknown> {
  const at = schemaAt(schema, path);
  const shape = at && shapeOf(at);
  const fields = shape?.kind === "object" ? Object.values(shape.fields) : undefined;
  const isWhole = fields?.some((field) => !field.safeParse(undefined).success) ?? true;
  const now = valueBelow(there, path);
  return isWhole && isObject(now) ? structuredClone(now) : {};
}
