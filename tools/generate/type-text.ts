import { z } from "zod";
import { fieldsOf, isOptional, unwrap } from "../../provider/define/markers";

/** Which side of a program a type is for: what it passes, or what it reads back. */
export type Side = "input" | "output";

/** The TypeScript type of a schema, as text, with the field docs of nested objects. */
export function typeText(schema: z.ZodType, side: Side): string {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodString || inner instanceof z.ZodStringFormat) return "string";
  if (inner instanceof z.ZodNumber) return "number";
  if (inner instanceof z.ZodBoolean) return "boolean";
  if (inner instanceof z.ZodEnum) return inner.options.map((option) => JSON.stringify(option)).join(" | ");
  if (inner instanceof z.ZodLiteral)
    return [...inner.values].map((value) => JSON.stringify(value)).join(" | ");
  if (inner instanceof z.ZodUnknown || inner instanceof z.ZodAny) return "unknown";
  // Zod types children by its core interface; every schema here is made by the classic API.
  if (inner instanceof z.ZodArray) return `(${nested(inner.element as z.ZodType, side)})[]`;
  if (inner instanceof z.ZodRecord) return `{ [key: string]: ${nested(inner.valueType as z.ZodType, side)} }`;
  if (inner instanceof z.ZodUnion) {
    return inner.options.map((option) => typeText(option as z.ZodType, side)).join(" | ");
  }
  if (inner instanceof z.ZodObject) {
    const fields = fieldsOf(inner).map(([name, field, traits]) => {
      const optional = isOptional(field) ? "?" : "";
      return `${docText(traits.description)}${name}${optional}: ${nested(field, side)};`;
    });
    return `{ ${fields.join("\n")} }`;
  }
  throw new Error(`There is no TypeScript text for a schema of type ${inner.def.type}.`);
}

/** A description as a JSDoc block; nothing where there is none. */
export function docText(description: string | undefined): string {
  return description === undefined ? "" : `/** ${description.replaceAll("*/", "* /")} */\n`;
}

function nested(schema: z.ZodType, side: Side): string {
  const text = typeText(schema, side);
  return side === "input" ? `pulumi.Input<${text}>` : text;
}
