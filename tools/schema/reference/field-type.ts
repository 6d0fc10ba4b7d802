import type { z } from "zod";
import { shapeOf } from "../../../spec/shape-of";
import { code } from "./markdown";

/** Characters: longer enumerations stand below the table. */
const LONGEST_ENUMERATION = 60;

/** A type as a reader of any language understands it; `[object](#anchor)` is left to the caller. */
export function typeText(schema: z.ZodType): string {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case "string":
    case "boolean":
    case "object":
      return shape.kind;
    case "number":
      return shape.inner.format?.includes("int") === true ? "integer" : "number";
    case "unknown":
    case "any":
      return "any";
    case "enum":
    case "literal": {
      const values = shape.constants.map(String);
      return isLong(values) ? "enum" : values.map(code).join(" or ");
    }
    case "array":
      return `list of ${typeText(shape.element)}`;
    case "record":
      return `map of ${typeText(shape.values)}`;
    case "union":
      return shape.options.map(typeText).join(" or ");
    default:
      throw new Error(`There is no name for a schema of type ${shape.kind}.`);
  }
}

/** All values, where they are too many for the table. */
export function manyValues(schema: z.ZodType): readonly string[] | undefined {
  const shape = shapeOf(schema);
  if (shape.kind === "array") return manyValues(shape.element);
  if (shape.kind !== "enum" && shape.kind !== "literal") return undefined;
  const values = shape.constants.map(String);
  return isLong(values) ? values : undefined;
}

/** The object below lists and maps, with what leads to it: `[]` for a list, `.<key>` for a map. */
export function objectBelow(schema: z.ZodType): { object: z.ZodObject; path: string } | undefined {
  const shape = shapeOf(schema);
  if (shape.kind === "object") return { object: shape.inner, path: "" };
  if (shape.kind !== "array" && shape.kind !== "record") return undefined;
  const below = objectBelow(shape.kind === "array" ? shape.element : shape.values);
  const step = shape.kind === "array" ? "[]" : ".<key>";
  return below === undefined ? undefined : { object: below.object, path: `${step}${below.path}` };
}

function isLong(values: readonly string[]): boolean {
  return values.join(" or ").length > LONGEST_ENUMERATION;
}
