import type { z } from "zod";
import { shapeOf } from "../../spec/shape-of";

/** A limit of a field, which a Pulumi schema can only state in words. */
export interface Limit {
  readonly value: number;
  readonly note: string;
}

/** The limits of a field's values and, for a map, of its names and values. */
export function limitsOf(field: z.ZodType): Limit[] {
  const shape = shapeOf(field);
  switch (shape.kind) {
    case "number":
      return between(shape.inner.minValue, shape.inner.maxValue, "");
    case "string":
      return between(aboveOne(shape.inner.minLength), shape.inner.maxLength, " characters");
    case "record":
      return [...within("Names", shape.keys), ...within("Values", shape.values)];
    default:
      return [];
  }
}

function within(whose: string, schema: z.ZodType): Limit[] {
  return limitsOf(schema).map(({ value, note }) => ({ value, note: `${whose}: ${note.toLowerCase()}` }));
}

/** Whether a text states the limit, in digits or, for the length of a reference, spelled out. */
export function states(text: string, { value }: Limit): boolean {
  return new RegExp(`(?<![0-9.])${value}(?![0-9])`).test(text) || (value === 20 && text.includes("twenty"));
}

function between(least: number | null, most: number | null, unit: string): Limit[] {
  return [
    ...(isLimit(least) ? [{ value: least, note: `At least ${least}${unit}.` }] : []),
    ...(isLimit(most) ? [{ value: most, note: `At most ${most}${unit}.` }] : []),
  ];
}

/** Every integer has the limits of what is exact. */
function isLimit(value: number | null): value is number {
  return value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** That a text is not empty goes without saying. */
function aboveOne(length: number | null): number | null {
  return length === 1 ? null : length;
}
