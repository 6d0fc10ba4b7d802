import type { z } from "zod";
import { listMarkedFields, isOptional, traitsOf, type FieldTraits } from "../../provider/define/markers";
import { listKnownValues } from "../../provider/define/open-values";
import { shapeOf } from "../../spec/shape-of";

/** Which side of a program a type is for: what it passes, or what it reads back. */
export type Side = "input" | "output";

/** The TypeScript type of a schema, as text, with the field docs of nested objects. */
export function typeText(schema: z.ZodType, side: Side): string {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case "string":
    case "number":
    case "boolean":
      return shape.kind;
    case "enum":
    case "literal":
      return shape.constants.map((constant) => JSON.stringify(constant)).join(" | ");
    case "unknown":
    case "any":
      return "unknown";
    case "array":
      return `(${nested(shape.element, side)})[]`;
    case "record":
      return `{ [key: string]: ${nested(shape.values, side)} }`;
    case "union":
      // `string` alone would take the known values away from a program's completions.
      if (traitsOf(schema).isOpen === true)
        return [
          ...listKnownValues(shape.options).map((value) => JSON.stringify(value)),
          "(string & {})",
        ].join(" | ");
      return shape.options.map((option) => typeText(option, side)).join(" | ");
    case "object": {
      const fields = listMarkedFields(shape.inner).map(([name, field, traits]) => {
        const optional = isOptional(field) ? "?" : "";
        return `${docText(withNotes(traits))}${name}${optional}: ${nested(field, side)};`;
      });
      return `{ ${fields.join("\n")} }`;
    }
    default:
      throw new Error(`There is no TypeScript text for a schema of type ${shape.kind}.`);
  }
}

/** The description of a field with what else a reader must know of it; nothing where there is none. */
export function withNotes({ description }: FieldTraits, notes: readonly string[] = []): string | undefined {
  if (description === undefined) return undefined;
  return [description, ...notes].join(" ");
}

/** A description as a JSDoc block; nothing where there is none. */
export function docText(description: string | undefined): string {
  return description === undefined ? "" : `/** ${description.replaceAll("*/", "* /")} */\n`;
}

function nested(schema: z.ZodType, side: Side): string {
  const text = typeText(schema, side);
  return side === "input" ? `pulumi.Input<${text}>` : text;
}
