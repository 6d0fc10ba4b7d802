import { z } from "zod";

// The classes narrow to type arguments of `any`; these name what a walk over schemas relies on.

export function isObject(schema: z.core.$ZodType): schema is z.ZodObject<z.core.$ZodShape> {
  return schema instanceof z.ZodObject;
}

export function isArray(schema: z.core.$ZodType): schema is z.ZodArray {
  return schema instanceof z.ZodArray;
}

export function isUnion(schema: z.core.$ZodType): schema is z.ZodUnion {
  return schema instanceof z.ZodUnion;
}

/** The schema without its optional, nullable, default and read-only layers. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  ) {
    return unwrapped(schema.def.innerType);
  }
  return schema;
}
