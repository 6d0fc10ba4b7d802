import { z } from "zod";

const MOST_OPTIONS = 12;
const DEEPEST = 4;

/** What a schema takes, in the notation of TypeScript; what lies deep inside it is left out. */
export function shapeText(schema: z.ZodType, depth = 0): string {
  const inner = (child: unknown): string => shapeText(child as z.ZodType, depth + 1);
  if (schema instanceof z.ZodNullable) return `${shapeText(schema.unwrap() as z.ZodType, depth)} | null`;
  if (isOptional(schema)) return shapeText(schema.unwrap() as z.ZodType, depth);
  if (schema instanceof z.ZodPipe) return shapeText(schema.out as z.ZodType, depth);
  if (schema instanceof z.ZodEnum) return oneOf(schema.options.map((option) => JSON.stringify(option)));
  if (schema instanceof z.ZodLiteral) return oneOf([...schema.values].map((value) => JSON.stringify(value)));
  if (schema instanceof z.ZodUnion) return oneOf(schema.options.map(inner));
  if (schema instanceof z.ZodArray) return `${inBrackets(schema.element as z.ZodType, inner)}[]`;
  if (schema instanceof z.ZodMap || schema instanceof z.ZodRecord) {
    const keys = inner(schema.keyType);
    const key = keys === "string" ? "key" : `key: ${keys}`;
    return depth >= DEEPEST ? "{ … }" : `{ [${key}]: ${inner(schema.valueType)} }`;
  }
  if (schema instanceof z.ZodObject) return depth >= DEEPEST ? "{ … }" : objectText(schema, inner);
  if (schema instanceof z.ZodCustom) return "string";
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodLazy ? "any value" : schema.type;
}

function objectText(schema: z.ZodObject, inner: (field: unknown) => string): string {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => `${name}${isOptional(field) ? "?" : ""}: ${inner(field)}`,
  );
  const told = fields.length > MOST_OPTIONS ? [...fields.slice(0, MOST_OPTIONS), "…"] : fields;
  return `{ ${told.join(", ")} }`;
}

function isOptional(field: unknown): field is z.ZodOptional | z.ZodExactOptional {
  return field instanceof z.ZodOptional || field instanceof z.ZodExactOptional;
}

function oneOf(options: readonly string[]): string {
  if (options.length <= MOST_OPTIONS) return options.join(" | ");
  return `${options.slice(0, 3).join(" | ")} | … (${options.length} in all)`;
}

function inBrackets(element: z.ZodType, inner: (schema: z.ZodType) => string): string {
  const hasOptions = [z.ZodUnion, z.ZodEnum, z.ZodNullable].some((kind) => element instanceof kind);
  return hasOptions ? `(${inner(element)})` : inner(element);
}
