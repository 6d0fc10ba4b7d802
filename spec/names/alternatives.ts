import { z } from "zod";
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
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  ) {
    return flattened(schema.def.innerType);
  }
  return isUnion(schema) ? schema.options.flatMap(flattened) : [schema];
}

function listedIn(schema: z.core.$ZodType): string[] {
  const listed: readonly unknown[] =
    schema instanceof z.ZodEnum ? schema.options : schema instanceof z.ZodLiteral ? [...schema.values] : [];
  return listed.filter((value) => typeof value === "string");
}

// The classes narrow to type arguments of `any`; these name what the walks rely on.

function isObject(schema: z.core.$ZodType): schema is z.ZodObject<z.core.$ZodShape> {
  return schema instanceof z.ZodObject;
}

function isArray(schema: z.core.$ZodType): schema is z.ZodArray {
  return schema instanceof z.ZodArray;
}

function isUnion(schema: z.core.$ZodType): schema is z.ZodUnion {
  return schema instanceof z.ZodUnion;
}
