import { z } from "zod";
import { unwrap } from "../../provider/define/markers";

/** A limit of a field, which a Pulumi schema can only tell in words. */
export interface Limit {
  readonly value: number;
  readonly note: string;
}

/** The limits of a field's values and, for a map, of its names and values. */
export function limitsOf(field: z.ZodType): Limit[] {
  const inner = unwrap(field);
  if (inner instanceof z.ZodNumber) return between(inner.minValue, inner.maxValue, "");
  if (inner instanceof z.ZodString) return between(aboveOne(inner.minLength), inner.maxLength, " characters");
  if (!(inner instanceof z.ZodRecord)) return [];
  // Zod types children by its core interface; every schema here is made by the classic API.
  const within = (whose: string, child: unknown): Limit[] =>
    limitsOf(child as z.ZodType).map(({ value, note }) => ({
      value,
      note: `${whose}: ${note.toLowerCase()}`,
    }));
  return [...within("Names", inner.keyType), ...within("Values", inner.valueType)];
}

/** Whether a text tells the limit, in digits or, for the length of a reference, spelled out. */
export function tells(text: string, { value }: Limit): boolean {
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
