import type { z } from "zod";
import { shapeOf } from "../../../spec/shape-of";

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

/** Coerces every field that was sent and that has a schema. */
export function coerceFields(
  fields: URLSearchParams,
  schemaOf: (name: string) => z.ZodType | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const texts = fields.getAll(name);
      const schema = schemaOf(name);
      return [name, schema === undefined ? texts.at(-1) : coerceText(schema, texts)];
    }),
  );
}

function coerceUnion(options: readonly z.ZodType[], text: string): unknown {
  for (const option of options) {
    const value = coerceText(option, [text]);
    if (option.safeParse(value).success) return value;
  }
  return text;
}
