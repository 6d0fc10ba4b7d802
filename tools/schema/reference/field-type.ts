import { z } from "zod";
import { unwrap } from "../../../provider/define/markers";
import { code } from "./markdown";

/** Characters: longer enumerations stand below the table. */
const LONGEST_ENUMERATION = 60;

/** A type as a reader of any language understands it; `[object](#anchor)` is left to the caller. */
export function typeText(schema: z.ZodType): string {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodString || inner instanceof z.ZodStringFormat) return "string";
  if (inner instanceof z.ZodNumber) return inner.format?.includes("int") === true ? "integer" : "number";
  if (inner instanceof z.ZodBoolean) return "boolean";
  if (inner instanceof z.ZodUnknown || inner instanceof z.ZodAny) return "any";
  const values = valuesIn(inner);
  if (values !== undefined) {
    return isLong(values) ? "enum" : values.map(code).join(" or ");
  }
  // Zod types children by its core interface; every schema here is made by the classic API.
  if (inner instanceof z.ZodArray) return `list of ${typeText(inner.element as z.ZodType)}`;
  if (inner instanceof z.ZodRecord) return `map of ${typeText(inner.valueType as z.ZodType)}`;
  if (inner instanceof z.ZodUnion) {
    return inner.options.map((option) => typeText(option as z.ZodType)).join(" or ");
  }
  if (inner instanceof z.ZodObject) return "object";
  throw new Error(`There is no name for a schema of type ${inner.def.type}.`);
}

/** All values, where they are too many for the table. */
export function manyValues(schema: z.ZodType): readonly string[] | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return manyValues(inner.element as z.ZodType);
  const values = valuesIn(inner);
  return values !== undefined && isLong(values) ? values : undefined;
}

/** The object below lists and maps, with what leads to it: `[]` for a list, `.<key>` for a map. */
export function objectBelow(schema: z.ZodType): { object: z.ZodObject; path: string } | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return { object: inner, path: "" };
  const [child, step] =
    inner instanceof z.ZodArray
      ? [inner.element as z.ZodType, "[]"]
      : inner instanceof z.ZodRecord
        ? [inner.valueType as z.ZodType, ".<key>"]
        : [undefined, ""];
  const below = child === undefined ? undefined : objectBelow(child);
  return below === undefined ? undefined : { object: below.object, path: `${step}${below.path}` };
}

function isLong(values: readonly string[]): boolean {
  return values.join(" or ").length > LONGEST_ENUMERATION;
}

function valuesIn(inner: z.ZodType): readonly string[] | undefined {
  if (inner instanceof z.ZodEnum) return inner.options.map(String);
  if (inner instanceof z.ZodLiteral) return [...inner.values].map(String);
  return undefined;
}
