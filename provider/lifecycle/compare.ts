import { diff } from "deep-diff";
import { z } from "zod";
import { fieldOf, traitsOf, unwrap } from "../define/markers";
import { isObject, UNKNOWN } from "./unknown";

/** The paths below `schema` at which the declared value is not what is remembered; empty when they mean the same. */
export function differences(schema: z.ZodType, remembered: unknown, declared: unknown): string[] {
  const [left, right] = comparable(schema, remembered, declared);
  return (diff(left, right) ?? []).map(({ path }) => formatPath(path ?? []));
}

/** `["keys", "email", 0]` as `keys.email[0]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

/** Both values in one form: only declared keys, sets sorted, spellings normalized, absent and null alike. */
function comparable(schema: z.ZodType, remembered: unknown, declared: unknown): [unknown, unknown] {
  // An unknown value may become anything: it never equals what is remembered.
  if (declared === UNKNOWN) return [remembered === UNKNOWN ? null : (remembered ?? null), UNKNOWN];
  const { set, normalize } = traitsOf(schema);
  if (normalize !== undefined) return [whenPresent(remembered, normalize), whenPresent(declared, normalize)];
  if (set === true) return [asSortedSet(remembered), asSortedSet(declared)];
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject && isObject(declared))
    return comparableObjects(inner, remembered, declared);
  if (inner instanceof z.ZodArray && Array.isArray(declared) && Array.isArray(remembered)) {
    // Zod types the element by its core interface; every schema here is made by the classic API.
    const element = inner.element as z.ZodType;
    const pairs = declared.map((value, index) => comparable(element, remembered[index], value));
    const rest: unknown[] = remembered.slice(declared.length);
    return [[...pairs.map(([left]) => left), ...rest], pairs.map(([, right]) => right)];
  }
  if (inner instanceof z.ZodRecord && isObject(declared) && isObject(remembered)) {
    return comparableRecords(inner.valueType as z.ZodType, remembered, declared);
  }
  return [withoutNulls(remembered), withoutNulls(declared)];
}

function comparableObjects(
  schema: z.ZodObject,
  remembered: unknown,
  declared: Record<string, unknown>,
): [unknown, unknown] {
  const left: Record<string, unknown> = {};
  const right: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(declared)) {
    if (value === undefined || value === null) continue;
    const field = fieldOf(schema, key) ?? z.unknown();
    const [was, is] = comparable(field, isObject(remembered) ? remembered[key] : undefined, value);
    if (was !== undefined) left[key] = was;
    right[key] = is;
  }
  return [left, right];
}

function comparableRecords(
  valueSchema: z.ZodType,
  remembered: Record<string, unknown>,
  declared: Record<string, unknown>,
): [unknown, unknown] {
  const left: Record<string, unknown> = {};
  const right: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(remembered), ...Object.keys(declared)])) {
    const [was, is] = comparable(valueSchema, remembered[key], declared[key]);
    if (was !== undefined) left[key] = was;
    if (is !== undefined) right[key] = is;
  }
  return [left, right];
}

function whenPresent(value: unknown, normalize: (value: unknown) => unknown): unknown {
  return value === undefined || value === null ? undefined : normalize(value);
}

function asSortedSet(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? undefined;
  const byText = new Map(value.map((element: unknown) => [JSON.stringify(element), element]));
  return [...byText.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, element]) => element);
}

function withoutNulls(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, withoutNulls(inner)])
      .filter(([, inner]) => inner !== undefined),
  );
}
