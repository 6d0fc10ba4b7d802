import type { z } from "zod";
import { shapeOf, type ObjectShape } from "../../../spec/shape-of";

const MOST_OPTIONS = 12;
const DEEPEST = 4;

/** What a schema takes, in the notation of TypeScript; what lies deep inside it is left out. */
export function shapeText(schema: z.ZodType, depth = 0): string {
  const text = textOf(schema, depth);
  return shapeOf(schema).isNullable ? `${text} | null` : text;
}

function textOf(schema: z.ZodType, depth: number): string {
  const shape = shapeOf(schema);
  const inner = (child: z.ZodType): string => shapeText(child, depth + 1);
  switch (shape.kind) {
    case "pipe":
      return shapeText(shape.out, depth);
    case "enum":
    case "literal":
      return oneOf(shape.constants.map((constant) => JSON.stringify(constant)));
    case "union":
      return oneOf(shape.options.map(inner));
    case "array":
      return `${inBrackets(shape.element, inner)}[]`;
    case "map":
    case "record": {
      const keys = inner(shape.keys);
      const key = keys === "string" ? "key" : `key: ${keys}`;
      return depth >= DEEPEST ? "{ … }" : `{ [${key}]: ${inner(shape.values)} }`;
    }
    case "object":
      return depth >= DEEPEST ? "{ … }" : objectText(shape, inner);
    case "custom":
      return "string";
    case "unknown":
    case "lazy":
      return "any value";
    default:
      return shape.kind;
  }
}

function objectText({ fields }: ObjectShape, inner: (field: z.ZodType) => string): string {
  const texts = Object.entries(fields).map(
    ([name, field]) => `${name}${shapeOf(field).isOptional ? "?" : ""}: ${inner(field)}`,
  );
  const shown = texts.length > MOST_OPTIONS ? [...texts.slice(0, MOST_OPTIONS), "…"] : texts;
  return `{ ${shown.join(", ")} }`;
}

function oneOf(options: readonly string[]): string {
  if (options.length <= MOST_OPTIONS) return options.join(" | ");
  return `${options.slice(0, 3).join(" | ")} | … (${options.length} in all)`;
}

function inBrackets(element: z.ZodType, inner: (schema: z.ZodType) => string): string {
  const { kind, isNullable } = shapeOf(element);
  return kind === "union" || kind === "enum" || isNullable ? `(${inner(element)})` : inner(element);
}
