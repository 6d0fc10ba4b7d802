import { z } from "zod";
import { isArray, isObject, isUnion, unwrapped } from "../schema-kinds";
import { marks } from "./marks";

/** The kinds of what a schema takes, without its optional, nullable and default layers and with unions taken apart. */
export interface Alternatives {
  readonly objects: readonly z.ZodObject<z.core.$ZodShape>[];
  readonly records: readonly z.ZodRecord[];
  readonly elements: readonly z.core.$ZodType[];
  /** Texts that an enum, a literal or a mark lists. */
  readonly values: readonly string[];
  /** Prefixes of the names that the service reserves among the texts. */
  readonly reservedPrefixes: readonly string[];
}

export function alternativesOf(schemas: readonly z.core.$ZodType[]): Alternatives {
  const flat = schemas.flatMap(flattened);
  const told = flat.map((schema) => marks.get(schema));
  return {
    objects: flat.filter(isObject),
    records: flat.filter((schema) => schema instanceof z.ZodRecord),
    elements: flat.filter(isArray).map(({ element }) => element),
    values: [...flat.flatMap(listedIn), ...told.flatMap((mark) => mark?.values ?? [])],
    reservedPrefixes: told.flatMap((mark) => mark?.reservedPrefix ?? []),
  };
}

/** The fields of several alternatives by name, each with all its schemas. */
export function fieldsOf(objects: Alternatives["objects"]): ReadonlyMap<string, readonly z.core.$ZodType[]> {
  const fields = new Map<string, z.core.$ZodType[]>();
  for (const { shape } of objects) {
    for (const [name, field] of Object.entries(shape)) fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  return fields;
}

function flattened(schema: z.core.$ZodType): z.core.$ZodType[] {
  const inner = unwrapped(schema);
  return isUnion(inner) ? inner.options.flatMap(flattened) : [inner];
}

function listedIn(schema: z.core.$ZodType): string[] {
  const listed: readonly unknown[] =
    schema instanceof z.ZodEnum ? schema.options : schema instanceof z.ZodLiteral ? [...schema.values] : [];
  return listed.filter((value) => typeof value === "string");
}
