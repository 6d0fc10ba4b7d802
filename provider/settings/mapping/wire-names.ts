import type { z } from "zod";
import { shapeOf, type Shape } from "../../../spec/shape-of";
import { parseDigits, traitsOf } from "../../define/markers";
import { isObject } from "../../../spec/is-object";

/** `max_connections` for `maxConnections`. */
type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** `maxConnections` for `max_connections`. */
type CamelCase<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : S;

/**
 * The settings that a group needs for all these fields of a body, where each is the group's prefix and the setting's name.
 * `satisfies` then finds one that is missing, misspelt or of another type.
 */
export type SettingsFor<Body, Names extends keyof Body & string, Prefix extends string = ""> = {
  readonly [N in Names as N extends `${Prefix}${infer Own}` ? CamelCase<Own> : never]: z.ZodType<
    NonNullable<Body[N]> | undefined
  >;
};

type SettingsGroup = z.ZodOptional<z.ZodObject>;

/**
 * The properties whose names in the API do not follow from their own: the compiler asks for these and no others. That of a
 * group is the prefix of what is in it, and the table of its fields is where the compiler looks. An API that spells all
 * names as Pulumi does is `camelCase`.
 */
export type WireNameExceptions<Settings, Body> =
  | (UnusualNames<Settings, Body> & {
      readonly [K in keyof Settings & string as Settings[K] extends SettingsGroup ? K : never]?: string;
    } & { readonly [path: `${string}.${string}`]: string })
  | (keyof Settings extends keyof Body ? typeof CAMEL_CASE : never);

type UnusualNames<Settings, Body> = {
  readonly [
    K in keyof Settings & string as SnakeCase<K> extends keyof Body
      ? never
      : Settings[K] extends SettingsGroup
        ? never
        : K
  ]: keyof Body & string;
};

/** Names in the API that do not follow from the property's, by its path: `features.imageTransformation`. */
export type WireNames = Readonly<Record<string, string>> | typeof CAMEL_CASE;

const CAMEL_CASE = "camelCase";

/** The wire's name of a property, after the prefix of its group where there is one. */
export function wireNameAt(names: WireNames, path: string, name: string, prefix = ""): string {
  if (names === CAMEL_CASE) return name;
  return names[path] ?? prefix + name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The program's name of what lies below a setting in the API: `.imageTransformation` for `.image_transformation`. */
export function formatProgramPath(
  schema: z.ZodType,
  segments: readonly string[],
  names: WireNames,
  path: string,
): string {
  const [head, ...rest] = segments;
  if (head === undefined) return "";
  const shape = shapeOf(schema);
  const found =
    shape.kind === "object"
      ? Object.entries(shape.fields).find(([name]) => wireNameAt(names, `${path}.${name}`, name) === head)
      : undefined;
  if (found === undefined) return `.${segments.join(".")}`;
  const [name, field] = found;
  return `.${name}${formatProgramPath(field, rest, names, `${path}.${name}`)}`;
}

/**
 * A declared value as the API has it. Of an object within it, what is not declared stays as it is on the service:
 * `current` is the value there.
 */
export function toWire(
  schema: z.ZodType,
  value: unknown,
  names: WireNames,
  path: string,
  current?: unknown,
): unknown {
  if (traitsOf(schema).textOnWire === true) return typeof value === "number" ? String(value) : value;
  const shape = shapeOf(schema);
  if (shape.kind === "union") {
    const option = shape.options.find((one) => one.safeParse(value).success);
    return option === undefined ? value : toWire(option, value, names, path, current);
  }
  if (shape.kind === "object" && isObject(value)) {
    const there = isObject(current) ? current : {};
    const declared = Object.entries(shape.fields).flatMap(([name, field]) => {
      const one = value[name];
      if (one === undefined || one === null) return [];
      const at = `${path}.${name}`;
      const wireName = wireNameAt(names, at, name);
      return [[wireName, toWire(field, one, names, at, there[wireName])] as const];
    });
    return { ...there, ...Object.fromEntries(declared) };
  }
  return mapElements(shape, value, (child, one) => toWire(child, one, names, path));
}

/** A value of the API as a program declares it; what this version does not know of an object is left out. */
export function fromWire(schema: z.ZodType, value: unknown, names: WireNames, path: string): unknown {
  if (traitsOf(schema).textOnWire === true) return parseDigits(value);
  const shape = shapeOf(schema);
  if (shape.kind === "union") {
    const options = shape.options.map((option) => ({ option, read: fromWire(option, value, names, path) }));
    const found = options.find(({ option, read }) => option.safeParse(read).success);
    return found === undefined ? value : found.read;
  }
  if (shape.kind === "object" && isObject(value)) {
    const known = Object.entries(shape.fields).flatMap(([name, field]) => {
      const at = `${path}.${name}`;
      const one = value[wireNameAt(names, at, name)];
      return one === undefined || one === null ? [] : [[name, fromWire(field, one, names, at)] as const];
    });
    return Object.fromEntries(known);
  }
  return mapElements(shape, value, (child, one) => fromWire(child, one, names, path));
}

/** The elements of a list and the values of a map, each by its own schema; anything else as it is. */
function mapElements(
  shape: Shape,
  value: unknown,
  map: (schema: z.ZodType, value: unknown) => unknown,
): unknown {
  if (shape.kind === "array" && Array.isArray(value)) {
    return value.map((one: unknown) => map(shape.element, one));
  }
  if (shape.kind !== "record" || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(shape.values, one)]));
}
