import type { z } from "zod";
import type { NameMapping } from "../../spec/names/names";
import { childAt, shapeOf } from "../../spec/shape-of";

/**
 * What the text of a query or form field means under its schema. Text that does not fit stays text, so that the
 * schema's own message says what was expected.
 */
export function coerceText(schema: z.ZodType, texts: readonly string[]): unknown {
  const shape = shapeOf(schema);
  if (shape.kind === "array") {
    return texts.flatMap((text) => text.split(",")).map((text) => coerceText(shape.element, [text]));
  }
  const [text] = texts;
  if (texts.length !== 1 || text === undefined) return texts;
  if (shape.kind === "union") return coerceUnion(shape.options, text);
  if (shape.kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (shape.kind === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}

/** Coerces every field that the schema knows and that was sent; `mapping` tells what a caller's names stand for. */
export function coerceFields(
  schema: z.ZodType,
  fields: URLSearchParams,
  mapping: NameMapping,
): Record<string, unknown> {
  const shape = shapeOf(schema);
  const names = new Set(fields.keys());
  const coerced = Object.fromEntries(
    [...names].map((name) => {
      const texts = fields.getAll(name);
      const field = childAt(shape, mapping.key(schema, name));
      return [name, field === undefined ? texts.at(-1) : coerceText(field, texts)];
    }),
  );
  // An object's fields are spelled one by one, so it stays an object.
  return mapping.value(schema, coerced) as Record<string, unknown>;
}

function coerceUnion(options: readonly z.ZodType[], text: string): unknown {
  for (const option of options) {
    const value = coerceText(option, [text]);
    if (option.safeParse(value).success) return value;
  }
  return text;
}
