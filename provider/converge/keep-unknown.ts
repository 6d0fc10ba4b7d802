import { z } from "zod";
import { fieldOf, unwrap } from "../define/markers";

/**
 * What is to be written, with what the service has and `schema` does not know, at every level: written back, the
 * settings of others stay as they are.
 */
export function withUnknownOf<T>(schema: z.ZodType, current: unknown, wanted: T): T {
  if (!isRecord(current) || !isRecord(wanted)) return wanted;
  const inner = unwrap(schema);
  const fieldAt = (name: string): z.ZodType | undefined => {
    if (inner instanceof z.ZodObject) return fieldOf(inner, name);
    // Zod types the values by its core interface; every schema here is made by the classic API.
    return inner instanceof z.ZodRecord ? (inner.valueType as z.ZodType) : undefined;
  };
  const known = Object.entries(wanted).map(([name, value]) => {
    const field = fieldAt(name);
    return [name, field === undefined ? value : withUnknownOf(field, current[name], value)] as const;
  });
  const unknown = inner instanceof z.ZodObject ? unknownIn(inner, current) : {};
  // Keys that the type does not know are all that is added.
  return { ...unknown, ...Object.fromEntries(known) } as T;
}

/** The keys of an answer that `schema` does not know; null is what is not set. */
export function unknownIn(schema: z.ZodObject, answer: object): Record<string, unknown> {
  const isUnknown = ([name, value]: [string, unknown]): boolean =>
    fieldOf(schema, name) === undefined && value !== null && value !== undefined;
  return Object.fromEntries(Object.entries(answer).filter(isUnknown));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
