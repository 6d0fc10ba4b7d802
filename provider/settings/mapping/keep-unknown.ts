import type { z } from "zod";
import { childAt, shapeOf } from "../../../spec/shape-of";
import { fieldOf } from "../../define/markers";
import { isObject } from "../../../spec/is-object";

/**
 * What is to be written, with what the service has and `schema` does not know, at every level: written back, the
 * settings of others stay as they are.
 */
export function mergeUnknown<T>(schema: z.ZodType, current: unknown, wanted: T): T {
  if (!isObject(current) || !isObject(wanted)) return wanted;
  const shape = shapeOf(schema);
  const known = Object.entries(wanted).map(([name, value]) => {
    const field = childAt(shape, name);
    return [name, field === undefined ? value : mergeUnknown(field, current[name], value)] as const;
  });
  const unknown = shape.kind === "object" ? pickUnknown(shape.inner, current) : {};
  // Keys that the type does not know are all that is added.
  return { ...unknown, ...Object.fromEntries(known) } as T;
}

/** The keys of an answer that `schema` does not know; null is what is not set. */
export function pickUnknown(schema: z.ZodObject, answer: object): Record<string, unknown> {
  const isUnknown = ([name, value]: [string, unknown]): boolean =>
    fieldOf(schema, name) === undefined && value !== null && value !== undefined;
  return Object.fromEntries(Object.entries(answer).filter(isUnknown));
}
