import { z } from "zod";
import type { Spelling } from "../../spec/names/names";

/**
 * What the text of a query or form field means under its schema. Text that does not fit stays text, so that the
 * schema's own message says what was expected.
 */
export function coerceText(schema: z.ZodType, texts: readonly string[]): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) {
    // The element of an array schema is a full schema; its type is only the library's smaller core.
    const element = inner.element as z.ZodType;
    return texts.flatMap((text) => text.split(",")).map((text) => coerceText(element, [text]));
  }
  const [text] = texts;
  if (texts.length !== 1 || text === undefined) return texts;
  if (inner instanceof z.ZodUnion) return coerceUnion(inner, text);
  if (inner instanceof z.ZodBoolean) return text === "true" ? true : text === "false" ? false : text;
  if (inner instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}

/** Coerces every field that the schema knows and that was sent; `spelling` tells what a caller's names stand for. */
export function coerceFields(
  schema: z.ZodType,
  fields: URLSearchParams,
  spelling: Spelling,
): Record<string, unknown> {
  const shape = shapeOf(schema);
  const names = new Set(fields.keys());
  const coerced = Object.fromEntries(
    [...names].map((name) => {
      const texts = fields.getAll(name);
      const field = shape[spelling.key(schema, name)];
      return [name, field === undefined ? texts.at(-1) : coerceText(field, texts)];
    }),
  );
  // An object's fields are spelled one by one, so it stays an object.
  return spelling.value(schema, coerced) as Record<string, unknown>;
}

/** The fields of an object schema, none for any other. */
export function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? inner.shape : {};
}

/** The schema without its optional, nullable and default layers. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    // As above: a full schema under a smaller type.
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}

function coerceUnion(union: z.ZodUnion, text: string): unknown {
  // As above: full schemas under a smaller type.
  for (const option of union.options as readonly z.ZodType[]) {
    const value = coerceText(option, [text]);
    if (option.safeParse(value).success) return value;
  }
  return text;
}
