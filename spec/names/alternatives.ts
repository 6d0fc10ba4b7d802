import type { z } from "zod";
import { shapeOf, type KeyedShape, type ObjectShape, type Shape } from "../shape-of";
import { marks } from "./marks";

/** The kinds of what a schema takes, without its optional, nullable and default layers and with unions taken apart. */
export interface Alternatives {
  readonly objects: readonly ObjectShape[];
  readonly records: readonly KeyedShape[];
  readonly elements: readonly z.ZodType[];
  /** Texts that an enum, a literal or a mark lists. */
  readonly values: readonly string[];
  /** Prefixes of the names that the service reserves among the texts. */
  readonly reservedPrefixes: readonly string[];
}

export function alternativesOf(schemas: readonly z.core.$ZodType[]): Alternatives {
  const flat = schemas.flatMap(flattenUnion);
  const told = flat.map(({ inner }) => marks.get(inner));
  return {
    objects: flat.filter((shape) => shape.kind === "object"),
    records: flat.flatMap((shape) => (shape.kind === "record" ? [shape] : [])),
    elements: flat.flatMap((shape) => (shape.kind === "array" ? [shape.element] : [])),
    values: [...flat.flatMap(listConstants), ...told.flatMap((mark) => mark?.values ?? [])],
    reservedPrefixes: told.flatMap((mark) => mark?.reservedPrefix ?? []),
  };
}

/** The fields of several alternatives by name, each with all its schemas. */
export function collectFields(objects: Alternatives["objects"]): ReadonlyMap<string, readonly z.ZodType[]> {
  const fields = new Map<string, z.ZodType[]>();
  for (const object of objects) {
    for (const [name, field] of Object.entries(object.fields)) {
      fields.set(name, [...(fields.get(name) ?? []), field]);
    }
  }
  return fields;
}

function flattenUnion(schema: z.core.$ZodType): Shape[] {
  const shape = shapeOf(schema);
  return shape.kind === "union" ? shape.options.flatMap(flattenUnion) : [shape];
}

function listConstants(shape: Shape): string[] {
  if (shape.kind !== "enum" && shape.kind !== "literal") return [];
  return shape.constants.filter((value) => typeof value === "string");
}
