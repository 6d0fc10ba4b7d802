import { z } from "zod";
import { fieldsOf, unwrap } from "../define/markers";
import { isObject } from "../define/unknown";

/** `max_connections` for `maxConnections`. */
type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** The properties whose names on the wire do not follow from their own: the compiler asks for these and no others. */
export type WireNameExceptions<Settings, Body> = {
  readonly [K in keyof Settings & string as SnakeCase<K> extends keyof Body ? never : K]: keyof Body & string;
};

/** Names on the wire that do not follow from the property's, by its path: `features.imageTransformation`. */
export type WireNames = Readonly<Record<string, string>>;

function wireNameAt(names: WireNames, path: string, name: string): string {
  return names[path] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The wire's name of a setting. */
export function wireNameOf(names: WireNames, setting: string): string {
  return wireNameAt(names, setting, setting);
}

/**
 * A declared value as the wire has it. Of an object within it, what is not declared stays as it is on the service:
 * `current` is the value there.
 */
export function toWire(
  schema: z.ZodType,
  value: unknown,
  names: WireNames,
  path: string,
  current?: unknown,
): unknown {
  const inner = optionOf(unwrap(schema), value);
  // Zod types children by its core interface; every schema here is made by the classic API.
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((one: unknown) => toWire(inner.element as z.ZodType, one, names, path));
  }
  if (inner instanceof z.ZodRecord && isObject(value)) {
    const child = inner.valueType as z.ZodType;
    return mapValues(value, (one) => toWire(child, one, names, path));
  }
  if (!(inner instanceof z.ZodObject) || !isObject(value)) return value;
  const there = isObject(current) ? current : {};
  const declared = fieldsOf(inner).flatMap(([name, field]) => {
    const one = value[name];
    if (one === undefined || one === null) return [];
    const at = `${path}.${name}`;
    const wireName = wireNameAt(names, at, name);
    return [[wireName, toWire(field, one, names, at, there[wireName])] as const];
  });
  return { ...there, ...Object.fromEntries(declared) };
}

/** A value of the wire as a program declares it; what this version does not know of an object is left out. */
export function fromWire(schema: z.ZodType, value: unknown, names: WireNames, path: string): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) {
    const options = inner.options.map((option) => fromWire(option as z.ZodType, value, names, path));
    return options.find((one, index) => fits(inner.options[index], one)) ?? value;
  }
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((one: unknown) => fromWire(inner.element as z.ZodType, one, names, path));
  }
  if (inner instanceof z.ZodRecord && isObject(value)) {
    const child = inner.valueType as z.ZodType;
    return mapValues(value, (one) => fromWire(child, one, names, path));
  }
  if (!(inner instanceof z.ZodObject) || !isObject(value)) return value;
  const known = fieldsOf(inner).flatMap(([name, field]) => {
    const at = `${path}.${name}`;
    const one = value[wireNameAt(names, at, name)];
    return one === undefined || one === null ? [] : [[name, fromWire(field, one, names, at)] as const];
  });
  return Object.fromEntries(known);
}

/** The option of a union that a value is of. */
function optionOf(schema: z.ZodType, value: unknown): z.ZodType {
  if (!(schema instanceof z.ZodUnion)) return schema;
  // As above: made by the classic API.
  const option = schema.options.find((one) => fits(one, value)) as z.ZodType | undefined;
  return option === undefined ? schema : unwrap(option);
}

function fits(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  return schema !== undefined && z.safeParse(schema, value).success;
}

function mapValues(values: Record<string, unknown>, map: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
