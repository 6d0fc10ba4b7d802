import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { isObject } from "../../spec/is-object";
import { childAt, shapeOf } from "../../spec/shape-of";
import { traitsOf, type KnownRange } from "./markers";
import { hasUnknown } from "./unknown";

/**
 * One of the known values, or one that the service has learned since, which is sent with a warning. Its type names the
 * known ones alone, as the operation table does: no code may decide anything by the rest.
 */
export function openEnum<T extends string>(known: z.ZodType<T>): z.ZodType<T> {
  return z.union([known, z.string().min(1)]).meta({ isOpen: true }) as unknown as z.ZodType<T>;
}

/** A whole number whose limits are the service's: one outside of them is sent with a warning. */
export function openRange(range: KnownRange): z.ZodInt {
  return z.int().meta({ knownRange: range });
}

/** A value of the program that this version does not know. */
export interface UnlistedValue {
  readonly path: readonly PropertyKey[];
  readonly value: string | number;
  /** What is known in its place, as the end of a sentence. */
  readonly known: string;
}

/** Every value of an open list or range that this version does not know. */
export function findUnlisted(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): UnlistedValue[] {
  const isNested = isObject(value) || Array.isArray(value);
  if (!isNested && (value === undefined || value === null || hasUnknown(value))) return [];
  const shape = shapeOf(schema);
  const { knownRange, isOpen } = traitsOf(schema);
  if (typeof value === "number" && knownRange !== undefined) {
    const { least, most } = knownRange;
    if (least !== undefined && value < least)
      return [{ path, value, known: `the lowest known value is ${least}` }];
    if (most !== undefined && value > most)
      return [{ path, value, known: `the highest known value is ${most}` }];
    return [];
  }
  if (shape.kind === "union") {
    return isOpen === true && typeof value === "string" ? findUnlistedText(shape.options, value, path) : [];
  }
  if (Array.isArray(value))
    return value.flatMap((each: unknown, index) => {
      const element = childAt(shape, index);
      return element === undefined ? [] : findUnlisted(element, each, [...path, index]);
    });
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const child = childAt(shape, key);
    return child === undefined ? [] : findUnlisted(child, each, [...path, key]);
  });
}

function findUnlistedText(
  options: readonly z.ZodType[],
  value: string,
  path: readonly PropertyKey[],
): UnlistedValue[] {
  const known = listKnownValues(options);
  if (known.includes(value)) return [];
  const [nearest = ""] = known.toSorted((a, b) => distance(value, a) - distance(value, b));
  return [{ path, value, known: `the nearest known value is "${nearest}"` }];
}

/** Of an open list, by the options of its union. */
export function listKnownValues(options: readonly z.ZodType[]): string[] {
  return options.flatMap((option) => {
    const shape = shapeOf(option);
    return shape.kind === "enum" ? shape.constants.map(String) : [];
  });
}
